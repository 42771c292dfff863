Names that would look alike after a cut at their end are cut in the middle: what differs stays. Others are cut at their end.
--- run
label() { printf '0 <0.%d.0> s1 spawn child=<0.%d.0> mfa=rabbit_channel:init/1\n0 <0.%d.0> s1 label text="%s"\n' 9 $1 $1 "$2"; }
{
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1"
    for n in 1 2; do label $((20 + n)) "rabbit_channel 127.0.0.1:56916 -> 127.0.0.1:5672 ($n)"; done
    label 23 "rabbit_channel 127.0.0.1:57020 -> 127.0.0.1:5672 (1)"
    label 24 "rabbit_channel 127.0.0.1:56916 -> 127.0.0.1:5672 (ü)"
    label 25 "queue 'orders' in vhost '/' of a long name that nothing else shares"
    for n in 1 2 3 4 5; do printf "${n}0us <0.2$n.0> s1 in mfa=m:f/0\n${n}9us <0.2$n.0> s1 out mfa=m:f/0\n"; done
} > T.txt
for width in 64 90; do COLUMNS=$width $STROBE report T.txt processes --limit 5 | cut -c 1-44; done
--- out
Processes, by run time
process                   run     run%  runn
rabbit_channe…72 (1)  9.00 us  15.25 %   1
rabbit_channe…72 (2)  9.00 us  15.25 %   2
rabbit_channe…1:570…  9.00 us  15.25 %  
rabbit_channe…72 (ü)  9.00 us  15.25 %   
queue 'orders' in v…  9.00 us  15.25 %   5
(1 more)
-- unknown, and not shown: gc
--limit 0 shows all rows; --format json or c
Processes, by run time
process                              run    
rabbit_channel 127.0…1:5672 (1)  9.00 us  
rabbit_channel 127.0…1:5672 (2)  9.00 us  
rabbit_channel 127.0.0.1:57020…  9.00 us  
rabbit_channel 127.0…1:5672 (ü)  9.00 us 
queue 'orders' in vhost '/' of…  9.00 us  
(1 more)
-- unknown, and not shown: gc
--limit 0 shows all rows; --format json or c
