"""External terms and OTP trace frames, for tests: what Erlang writes, byte for byte, and what it never would."""
import struct


ATOM = 119  # how atoms are written: 119 since OTP 26, 100 before


class Raw(bytes):
    """Bytes that are a term already."""


class Atom(str):
    pass


def atom(a, tag=None):
    tag = tag or ATOM
    text = a.encode("latin-1" if tag in (100, 115) else "utf-8")
    return Raw(bytes([tag]) + (bytes([len(text)]) if tag in (115, 119) else struct.pack(">H", len(text))) + text)


def pid(number, serial=0, node="a@host", creation=7, tag=88):
    tail = struct.pack(">IIB", number, serial, creation) if tag == 103 else struct.pack(">III", number, serial,
            creation)
    return Raw(bytes([tag]) + atom(node) + tail)


def port(number, node="a@host", creation=7, tag=120):
    tail = {120: lambda: struct.pack(">QI", number, creation), 89: lambda: struct.pack(">II", number, creation),
            102: lambda: struct.pack(">IB", number, creation)}[tag]()
    return Raw(bytes([tag]) + atom(node) + tail)


def ref(*words, node="a@host", creation=7, tag=90):
    if tag == 101:
        return Raw(bytes([101]) + atom(node) + struct.pack(">IB", words[0], creation))
    return Raw(struct.pack(">BH", tag, len(words)) + atom(node) + struct.pack(">I" if tag == 90 else ">B", creation)
               + b"".join(struct.pack(">I", w) for w in words))


def binary(b):
    return Raw(struct.pack(">BI", 109, len(b)) + b)


def bits(b, last):
    return Raw(struct.pack(">BIB", 77, len(b), last) + b)


def improper(items, tail):
    return Raw(struct.pack(">BI", 108, len(items)) + b"".join(map(term, items)) + term(tail))


def fun(module, index, *free):
    body = b"".join(map(term, (Atom(module), index, 12345, pid(1)) + free))
    return Raw(bytes([112]) + struct.pack(">IB16sII", 25 + len(body) + 4, 0, b"u" * 16, index, len(free)) + body)


def big(v, tag=110):
    n = abs(v).to_bytes((abs(v).bit_length() + 7) // 8, "little")
    return Raw((struct.pack(">BBB", 110, len(n), v < 0) if tag == 110 else struct.pack(">BIB", 111, len(n), v < 0)) + n)


def term(t):
    if isinstance(t, Raw):
        return bytes(t)
    if isinstance(t, str):
        return bytes(atom(t))
    if isinstance(t, float):
        return struct.pack(">Bd", 70, t)
    if isinstance(t, int):
        if 0 <= t < 256:
            return bytes([97, t])
        return struct.pack(">Bi", 98, t) if -2**31 <= t < 2**31 else bytes(big(t))
    if isinstance(t, tuple):
        head = bytes([104, len(t)]) if len(t) < 256 else struct.pack(">BI", 105, len(t))
        return head + b"".join(map(term, t))
    if isinstance(t, list):
        if not t:
            return bytes([106])
        if all(isinstance(i, int) and 0 <= i < 256 for i in t):
            return struct.pack(">BH", 107, len(t)) + bytes(t)
        return bytes(improper(t, []))
    if isinstance(t, dict):
        return struct.pack(">BI", 116, len(t)) + b"".join(term(k) + term(v) for k, v in t.items())
    raise TypeError(t)


def frame(t):
    payload = bytes([131]) + term(t)
    return struct.pack(">BI", 0, len(payload)) + payload


def drop(n):
    return struct.pack(">BI", 1, n)


def frames(data):
    """Those of a trace file, as they are."""
    at = 0
    while at + 5 <= len(data):
        op, n = struct.unpack_from(">BI", data, at)
        size = 5 if op == 1 else 5 + n
        yield data[at:at + size]
        at += size


def head(raw):
    """The atom that a frame's tuple begins with; None: it has none."""
    wide = {100: 2, 118: 2, 115: 1, 119: 1}  # bytes of the length
    if raw[0] != 0 or raw[6] != 104 or raw[8] not in wide:
        return None
    at = 9 + wide[raw[8]]
    return raw[at:at + int.from_bytes(raw[9:at], "big")].decode()
