"""
Reads the accesses to memory of `tracer threads` (bench/tracer.c), as valgrind's lackey prints them, and checks that no
pair of cache lines that one thread stores to for its events is stored to, or read, by another thread for its own.

    lines.py MARKERS ACCESSES
"""
import re
import sys
from collections import defaultdict

APART = 128  # bytes: processors fetch cache lines in pairs
ACCESS = re.compile(r"^ ([SML]) ([0-9a-f]+),(\d+)$")


def markers(path):
    """The addresses that a store to begins the events of a thread, in order, and the one that ends them."""
    words = dict(line.split(maxsplit=1) for line in open(path))
    return [int(a, 16) for a in words["begin"].split()], int(words["end"], 16)


def accesses(path, begins, end):
    """Of each thread: the lines it stores to and those it reads."""
    stored, read, now = defaultdict(set), defaultdict(set), None
    number = {address: i for i, address in enumerate(begins)}
    with open(path) as f:
        for m in filter(None, map(ACCESS.match, f)):
            at, size = int(m.group(2), 16), int(m.group(3))
            if m.group(1) == "S" and (at in number or at == end):
                now = number.get(at)
            elif now is not None:
                lines = range(at // APART, (at + size - 1) // APART + 1)
                if m.group(1) != "L":
                    stored[now].update(lines)
                if m.group(1) != "S":
                    read[now].update(lines)
    return stored, read


def main():
    begins, end = markers(sys.argv[1])
    stored, read = accesses(sys.argv[2], begins, end)
    few = [i for i in range(len(begins)) if len(stored[i]) < 10]
    shared = {line * APART for i in range(len(begins)) for k in range(len(begins)) if i != k
              for line in stored[i] & (stored[k] | read[k])}
    print("not ok tracer: threads without events" if few else "ok tracer: each thread has events")
    print(f"not ok tracer: threads share what one of them writes: {', '.join(map(hex, sorted(shared)[:9]))}" if shared
          else "ok tracer: no thread uses a cache line that another one writes")


main()
