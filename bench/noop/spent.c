/* spent FILE COMMAND...: runs a command and writes the CPU time of its processes into a file, in nanoseconds. So
 * bench/noop/whole.py tells the node from the processes that record it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long
ns(struct timeval t)
{
    return (t.tv_sec * 1000000LL + t.tv_usec) * 1000;
}

int
main(int argc, char **argv)
{
    struct rusage spent;
    int status = 0;
    pid_t pid = argc > 2 ? fork() : -1;
    if (pid == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    FILE *out = pid > 0 && wait4(pid, &status, 0, &spent) == pid ? fopen(argv[1], "w") : NULL;
    if (!out)
        return 125;
    fprintf(out, "%lld\n", ns(spent.ru_utime) + ns(spent.ru_stime));
    fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
