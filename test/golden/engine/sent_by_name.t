A send to a name on another node that is not traced counts for that node, whichever process has the name; where the name's owner is known it is a message to that process.
--- trace
@meta node=a@h creation=1
100 <0.5.0> s1 in mfa=m:f/0
105 <0.5.0> s1 send to={echo,b@h} words=4 hash=7
106 <0.5.0> s1 send to={echo,b@h} words=66 hash=8 at_least
107 <0.5.0> s1 send to=<0.9.0>@b@h/3 words=5 hash=9
108 <0.5.0> s1 send to={echo,c@h} words=6 hash=9
109 <0.5.0> s1 send to=nobody words=7 hash=9
120 <0.5.0> s1 out mfa=m:f/0
--- run
$STROBE analyze T.txt -o P.sbp > /dev/null
$STROBE merge P.sbp -o M.sbp >/dev/null && cmp P.sbp M.sbp && echo the same
$STROBE query P.sbp "select f.name, t.name, count, total_words, at_least from node_edge e join node f on f.id = from_node join node t on t.id = to_node order by 2" --format csv
$STROBE report P.sbp nodes --format csv | cut -d, -f1,6,7,8
$STROBE report P.sbp --format csv | grep messages, | cut -d, -f4-
--- out
the same
name,name,count,total_words,at_least
a@h,b@h,3,75,1
a@h,c@h,1,6,0
node,sent_to_others,sent_words,sent_at_least
a@h,4,81,1
b@h,,,
c@h,,,
"5 sent, 0 received; at least 88 words in all, as the words of 1 of them were counted only up to a limit; 4 sent to registered names that could not be resolved",strobe report P.sbp messages,What ran
