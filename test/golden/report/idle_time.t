The idle time is explained by the longest wait inside of work: neither by a server that waits in the loop of its behaviour, RabbitMQ's gen_server2 included, nor by a process that does next to nothing else. Where all are at rest, the longest such wait is named; of servers alone, none.
--- run
# <0.20.0> works 20 ms, 4 times, and waits 200 ms for a price each time; <0.21.0> rests in its own loop; <0.22.0> is a server
start() { # WHERE the server waits
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=4"
    for p in 20 21 22; do echo "0 <0.9.0> s1 spawn child=<0.$p.0> mfa=shop:p$p/0"; done
    for f in shop:price/1 shop:rest/0 "$1"; do echo "0 <0.20.0> s1 waits mfa=$f kind=1"; done
}
rounds() { # PID WHERE-IT-WAITS SENDER WORK: so many ms of each 220
    awk -v p="$1" -v f="$2" -v s="$3" -v work="$4" 'BEGIN {
        for (i = 0; i < 4; i++) {
            t = i * 220000 + p
            if (i == 0) printf "%dus <0.%d.0> s%d in mfa=%s\n", t, p, p - 19, f
            printf "%dus <0.%d.0> s%d out mfa=%s\n", t + work * 1000, p, p - 19, f
            printf "%dus <0.9.0> s4 send to=<0.%d.0> words=3 hash=%x\n", t + 219000, p, 10 * p + i
            printf "%dus <0.%d.0> s%d in mfa=%s\n%dus <0.%d.0> s%d receive words=3 hash=%x\n", t + 219500, p, p - 19, f, t + 219501, p, p - 19, 10 * p + i
        }
        printf "%dus <0.%d.0> s%d out mfa=%s\n", t + 219700, p, p - 19, f
    }'
}
server() { rounds 22 "$1" 9 1; }
loop=gen_server2:process_next_msg/1
{ start $loop; rounds 20 shop:price/1 9 20; rounds 21 shop:rest/0 9 1; server $loop; } > all.txt
{ start $loop; rounds 21 shop:rest/0 9 1; server $loop; } > rest.txt
{ start $loop; server $loop; } > servers.txt
for t in all rest servers; do
    echo "== $t"
    $STROBE report $t.txt --format csv | grep '^waiting,' || echo nobody
done
--- out
== all
waiting,796000000,ns,"for 796 ms of the program nothing was at work or ready; shop:p20/0 <0.20.0> waited 796 ms in shop:price/1, in 5 waits",strobe report all.sbp waits,Where the time went
== rest
waiting,871996000,ns,"for 872 ms of the program nothing was at work or ready; shop:p21/0 <0.21.0> waited 872 ms in shop:rest/0, in 5 waits",strobe report rest.sbp waits,Where the time went
== servers
nobody
