"""
Runs a command in a root folder whose programs are for arm64, by qemu: foreign.py FOLDER COMMAND...

The kernel is told of qemu in a user name space of our own, which takes that, the mounts and all processes with it
when the command ends. Linux before 6.7 has no such thing: then it exits with 77.
"""
import ctypes
import os
import signal
import sys

NEWNS, NEWUSER, NEWPID, PDEATHSIG = 0x20000, 0x10000000, 0x20000000, 1
ELF = r":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:" + \
    r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F"
INSIDE = """
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc && printf %s "$1" > /proc/sys/fs/binfmt_misc/register &&
    mount -t proc proc "$2/proc" && mount --rbind /dev "$2/dev" || exit 77
shift
exec chroot "$@"
"""
ENV = ["/usr/bin/env", "-i", "PATH=/opt/strobe:/usr/sbin:/usr/bin", "HOME=/root", "LANG=C.UTF-8"]
libc = ctypes.CDLL(None, use_errno=True)


def inside(ready, go):
    if libc.unshare(NEWUSER | NEWNS | NEWPID) != 0:
        return 77
    os.write(ready, b"x")
    os.read(go, 1) # the ids are mapped
    pid = os.fork()
    if pid == 0:
        libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.execvp("sh", ["sh", "-c", INSIDE, "sh", ELF, sys.argv[1], *ENV, *sys.argv[2:]])
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main():
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os._exit(inside(ready[1], go[0]))
    os.close(ready[1])
    if os.read(ready[0], 1): # nothing: it could not
        for ids in "uid_map", "gid_map":
            with open(f"/proc/{child}/{ids}", "w", encoding="ascii") as f:
                f.write("0 0 4294967295")
        os.write(go[1], b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


sys.exit(main())
