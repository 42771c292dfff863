A name that is sent to on a node that is the sender's own is one of its names.
--- trace
@meta node=a@h creation=7
100 <0.5.0> 1 register name=boss
110 <0.6.0> 2 send to={boss,a@h} words=4 hash=7
120 <0.6.0> 2 send to={boss,b@h} words=4 hash=7
130 <0.5.0> 1 receive words=4 hash=7
--- run
$STROBE query T.txt "SELECT sender, receiver, count, matched FROM message_edge" --format csv
$STROBE query T.txt "SELECT name FROM node" --format csv
--- out
sender,receiver,count,matched
2,1,1,1
name
a@h
b@h
