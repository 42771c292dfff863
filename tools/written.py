"""
Keeps every profile that is written below a folder, including those removed again: strobe renames a finished profile,
inotify(7) reports the rename, and the profile gets a second link. A profile removed before that is missed.
"""
import ctypes
import os
import select
import stat
import struct
import threading

MAGIC = b"strobe.p"
HEAD = struct.Struct("iIII")  # of struct inotify_event; the name follows
CREATE, MOVED_TO, IS_DIR = 0x100, 0x80, 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def is_profile(path):
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False  # opening a pipe would wait for its writer
        with open(path, "rb") as f:
            return f.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


class Written:
    """with Written(folder, keep) as w: ...; then w.profiles lists what was written: (path, link to it in keep)."""

    def __init__(self, folder, keep):
        self.folder, self.keep, self.profiles, self.of = folder, keep, [], {}

    def __enter__(self):
        self.fd, (self.ended, self.end) = libc.inotify_init1(os.O_CLOEXEC), os.pipe()
        self.watch(self.folder)
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()
        return self

    def __exit__(self, *_):
        os.close(self.end)
        self.thread.join()
        os.close(self.fd)
        os.close(self.ended)

    def watch(self, folder):
        """What is in the folder by the time it is watched was not reported."""
        wd = libc.inotify_add_watch(self.fd, os.fsencode(folder), CREATE | MOVED_TO)
        if wd < 0:
            return  # removed meanwhile
        self.of[wd] = folder
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return
        for e in entries:
            if e.is_dir(follow_symlinks=False):
                self.watch(e.path)
            elif not e.name.endswith(".tmp"):
                self.take(e.path)

    def take(self, path):
        link = os.path.join(self.keep, str(len(self.profiles)))
        try:
            os.link(path, link, follow_symlinks=False)
        except OSError:
            return
        if is_profile(link):
            self.profiles.append((path, link))
        else:
            os.unlink(link)

    def follow(self):
        while self.fd in (ready := select.select([self.fd, self.ended], [], [])[0]):
            self.read(os.read(self.fd, 1 << 16))

    def read(self, events):
        at = 0
        while at < len(events):
            wd, mask, _, n = HEAD.unpack_from(events, at)
            name = os.fsdecode(events[at + HEAD.size:at + HEAD.size + n].rstrip(b"\0"))
            at += HEAD.size + n
            path = os.path.join(self.of.get(wd, self.folder), name)
            if mask & IS_DIR:
                self.watch(path)
            elif mask & MOVED_TO:
                self.take(path)
