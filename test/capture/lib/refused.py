"""
Runs a command whose perf_event_open fails, as under the seccomp filter of most containers: refused.py ERRNO CMD...
"""
import ctypes
import os
import struct
import sys

LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
FAIL, ALLOW = 0x50000, 0x7FFF0000
CALL = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2


class Program(ctypes.Structure):
    _fields_ = [("n", ctypes.c_ushort), ("at", ctypes.c_void_p)]


steps = [(LOAD, 0, 0, 0), (JUMP_EQUAL, 0, 1, CALL), (RETURN, 0, 0, FAIL | int(sys.argv[1])), (RETURN, 0, 0, ALLOW)]
text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *s) for s in steps))
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
if libc.prctl(SECCOMP, FILTER, ctypes.byref(Program(len(steps), ctypes.addressof(text))), 0, 0) != 0:
    sys.exit("refused.py: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
