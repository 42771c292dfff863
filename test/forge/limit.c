/*
 * The limits of an input, for all fuzz targets: the linker puts this function around theirs (--wrap). The time is CPU
 * time, so that a busy machine ends no input; what waits for nothing is ended by libFuzzer's -timeout. Sanitizers slow
 * the code down and take memory of their own, so the limit of memory is for the build without them.
 */
#include "limit.h"
#include "base/sanitized.h"
#include <stdbool.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECONDS = SB_UNDER_ASAN ? 20 : 2, MEGABYTES = SB_UNDER_ASAN ? 0 : 512 };

static void
on_time(int number)
{
    static const char text[] = "the input took too much CPU time\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort(); /* libFuzzer keeps the input */
}

/* Memory that was touched; zeros that nobody looks at cost nothing. */
static void
check_memory(void)
{
    static const char text[] = "the input took too much memory\n";
    struct rusage used;
    if (MEGABYTES == 0 || getrusage(RUSAGE_SELF, &used) != 0 || used.ru_maxrss / 1024 < MEGABYTES)
        return;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}

static void
set_time(int seconds)
{
    struct itimerval t = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &t, NULL);
}

void
limit_from_now(void)
{
    set_time(SECONDS);
}

int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool begun;
    if (!begun) {
        begun = true;
        signal(SIGPROF, on_time);
    }
    limit_from_now();
    int result = __real_LLVMFuzzerTestOneInput(data, size);
    set_time(0);
    check_memory();
    return result;
}
