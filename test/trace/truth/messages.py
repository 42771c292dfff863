"""
Messages: a receive takes the oldest message, sent no later, whose known fields (hash, alias, length) agree. Messages
that a process never received are dropped at its end. Messages before the one that is received no longer wait (one was
dropped, or two senders raced), nor do others sent to the alias of its last answer.

The stamp of a send to another node may be up to 100 ms late, and after the receive, which then took no message. So
such a message is taken only by a receive that comes much sooner after the stamp than the stamp came after the receive
before.
"""
import collections

from .trace import Owners, is_process, merged

TELLS = ("hash", "alias", "ext")
LATE = 100000000  # ns
REMEMBERED = 4  # receives without a message, of a process
ROW = "sender receiver sent received words ext_bytes at_least sent_on down asker call".split()


class Message:
    def __init__(self, sent, receiver):
        self.has, self.receiver, self.received, self.down, self.stale = {}, receiver, None, None, False
        self.asker = self.call = None
        self.sender = self.sent = self.sent_on = self.late = None
        self.at_least = 0
        if sent:
            self.has, self.sent, self.sent_on, self.at_least = sent.has, sent.at, sent.lane, int(
                "at_least" in sent.flags)
            self.sender = sent.who if is_process(sent.who) else None
            self.stale = not self.sender  # what a port answers at once is told as a message, and no mailbox gets it

    def alias(self):
        return self.has.get("alias")

    def may_be(self, got):
        return all(self.has[k] == got.has[k] for k in TELLS if k in self.has and k in got.has)

    def came_before(self, got):
        """Whether the receive before is the likelier one; much sooner: in less than an eighth of the time."""
        return self.late is not None and got.at - self.sent >= 1 << max((self.late | 1).bit_length() - 3, 0)

    def take(self, got):
        """What only who took it tells counts."""
        named, asks = got.has.get("down", ""), int(got.has.get("asks") or 0)
        self.received, self.down = got.at, named if is_process(named) and not asks else None
        if self.sent is None:
            self.at_least = int("at_least" in got.flags)
            self.asker, self.call = (named, int(asks == 2) or None) if asks else (None, None)
        self.has = {**got.has, **self.has}

    def number(self, name):
        return int(self.has[name]) if self.has.get(name) else None


def node_of(who):
    return who.partition(">")[2]


class Mail:
    def __init__(self, traces):
        self.box, self.all, self.most = collections.defaultdict(list), [], collections.Counter()
        self.without = collections.defaultdict(list)  # the last receives that took no message
        self.several = len(traces) > 1
        self.answered, self.ran_on, self.between = {}, {}, collections.defaultdict(lambda: [0, 0])
        self.seen = {e.who for e in merged(traces)}
        owners = Owners()
        for e in merged(traces):
            owners.see(e)
            if e.kind in ("in", "in_exiting"):
                self.ran_on[e.who] = e.lane
            elif e.kind == "send" and owners.receiver(e):
                self.sent(e, owners.receiver(e))
            elif e.kind == "receive" and "timeout" not in e.flags and is_process(e.who):
                self.received(e)
            elif e.kind == "exit":
                self.box.pop(e.who, None)

    def sent(self, e, to):
        m = Message(e, to)
        m.stale |= m.alias() is not None and m.alias() == self.answered.get(to)
        self.all.append(m)
        self.box[to].append(m)
        if node_of(e.who) != node_of(to) and "hash" in e.has:
            self.find_receive_before(m, e, to)
        self.most[to] = max(self.most[to], sum(not m.stale for m in self.box[to]))
        if e.lane and self.ran_on.get(to):
            pair = self.between[e.lane, self.ran_on[to]]
            pair[0] += 1
            pair[1] += e.number("words")

    def find_receive_before(self, m, e, to):
        for got in self.without[to]:
            if got.has.get("hash") == e.has["hash"] and m.may_be(got) and e.at - got.at <= LATE:
                m.late = e.at - got.at
                self.without[to].remove(got)
                return

    def received(self, e):
        box = self.box[e.who]
        while (place := next((i for i, m in enumerate(box) if m.may_be(e)), None)) is not None:
            if not box[place].came_before(e):
                break
            box.pop(place)
        if place is None:
            self.all.append(Message(None, e.who))
            self.all[-1].take(e)
            if self.several:
                self.without[e.who] = [e, *self.without[e.who]][:REMEMBERED]
            return
        for m in box[:place]:
            m.stale = True
        taken = box.pop(place)
        taken.take(e)
        if taken.alias() is not None:
            self.answered[e.who] = taken.alias()
            for m in box:
                m.stale |= m.alias() == taken.alias()


def rows(mail):
    return collections.Counter(
        (m.sender, m.receiver, m.sent, m.received, m.number("words"), m.number("ext"), m.at_least, m.sent_on, m.down,
         m.asker, m.call)
        for m in mail.all)


def pairs(mail):
    """Those of whom both are known."""
    of = collections.defaultdict(list)
    for m in mail.all:
        if m.sender:
            of[m.sender, m.receiver].append(m)
    return of


def edge(messages, ext):
    """A row of message_edge, as far as one node can tell; whether lengths are told at all."""
    words = [m.number("words") or 0 for m in messages]
    took = [m.received - m.sent for m in messages if m.received is not None]
    sent = [m.sent for m in messages]
    return (len(messages), sum(words), max(words), sum(m.number("ext") or 0 for m in messages) if ext else None,
            len(took),
            sum(took) if took else None, max(took, default=None), min(sent), max(sent),
            sum(m.at_least for m in messages))


def figures(profile, traces):
    if traces[0].untimed:
        return
    mail = Mail(traces)
    p = profile.process
    got = collections.Counter(
        (p[m["sender"]], p[m["receiver"]], m["sent"], m["received"], m["words"], m["ext_bytes"], m["at_least"],
         profile.lane[m["sent_on"]], p[m["down"]], p[m["asker"]], m["call"])
        for m in profile.ask("SELECT " + ", ".join(ROW) + " FROM message"))
    yield "messages", got, rows(mail)
    if len(traces) == 1:
        got = {(p[sender], p[receiver]): tuple(rest) for sender, receiver,
               *rest in (e.values() for e in profile.ask("SELECT * FROM message_edge"))}
        ext = any("ext" in m.has for m in mail.all)
        yield "what pairs said", got, {pair: edge(ms, ext) for pair, ms in pairs(mail).items()}
    got = {(profile.lane[e["from_scheduler"]], profile.lane[e["to_scheduler"]]): [e["count"], e["total_words"]]
           for e in profile.ask("SELECT * FROM scheduler_edge")}
    yield "messages between schedulers", got, dict(mail.between)
    most = {p[g["id"]]: g["max_queue"] or 0 for g in profile.processes}
    # unknown of a process that was not traced
    yield "longest mailboxes", most, {who: mail.most[who] if who in mail.seen else 0 for who in most}
