A trace with a loss in it: fprof stops there, and so does strobe; --strict reads on after it and says so.
--- run
record() { printf "$1" > r; printf "\\000\\000\\000\\000\\$(printf %03o $(wc -c < r))"; cat r; }
head='\203h\006w\010trace_tsXw\003n@h\000\000\000\120\000\000\000\000\000\000\000\000'
m() { printf 'h\\003w\\001mw\\001%sa\\001' $1; }
at() { printf 'h\\003a\\000a\\000a\\%03o' $1; }
record "${head}w\\004call$(m a)h\\002w\\002cpw\\011undefined$(at 1)" > T
record "${head}w\\004call$(m b)h\\002w\\002cp$(m a)$(at 3)" >> T
printf '\001\000\000\000\011' >> T
record "${head}w\\004call$(m c)h\\002w\\002cp$(m b)$(at 8)" >> T
printf '\000\000' >> T
$STROBE fprof T --no-callers --threads 1 | grep '{m,'
echo strict
$STROBE fprof T --no-callers --strict -o A
grep '{m,' A
$STROBE fprof T --no-details --append -o A 2> /dev/null || grep -c totals A
$STROBE fprof missing
--- out
{  {m,a,1},                                       1,    0.002,    0.002}.      
{  {m,b,1},                                       1,    0.000,    0.000}.      
strict
{  {m,a,1},                                       1,    0.007,    0.002}.      
{  {m,b,1},                                       1,    0.005,    0.005}.      
{  {m,c,1},                                       1,    0.000,    0.000}.      
4
--- err
strobe: T: fprof returns {error,{'truncated file',[0,0]}}, at byte 234: the analysis holds what came before
strobe: T: strict: skipped bytes outside any record: 2; fprof stops there
strobe: T: strict: events lost while tracing: 9; their time is missing, and fprof stops there
strobe: missing: cannot open it: No such file or directory: check the name
--- exit 1
