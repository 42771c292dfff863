#!/bin/bash
# The browser that strobe serve opens: the token is in no argument, since every user sees those.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir bin run
cat > bin/xdg-open <<'END'
#!/bin/bash
cat "$1" > "$SEEN/page"; stat -c %a "$1" > "$SEEN/mode"
tr '\0' ' ' < /proc/$$/cmdline > "$SEEN/arguments.new" && mv "$SEEN/arguments.new" "$SEEN/arguments"
END
chmod +x bin/xdg-open
printf '0 <0.5.0> s1 in mfa=m:f/0\n1us <0.5.0> s1 out mfa=m:f/0\n' > T.txt
DISPLAY=:none XDG_RUNTIME_DIR=$dir/run SEEN=$dir PATH=$dir/bin:$PATH "$STROBE" serve T.txt > url 2>err.log & server=$!
for _ in $(seq 3000); do [ -s arguments ] && [ -s url ] && break; sleep 0.02; done
url=$(head -n 1 url) token=${url##*[=/]}
ls run > pages
kill $server; wait $server
if [ ${#token} -ge 16 ] && grep -qF "url=$url" page && [ "$(cat mode)" = 600 ] && ! grep -qF "$token" arguments
then echo "ok browser: the token is in a file of this user, not in an argument"
else echo "not ok browser: $(cat arguments mode page err.log)"; fi
if [ "$(wc -l < pages)" = 1 ] && [ -z "$(ls run)" ]; then echo "ok browser: the file goes with the server"
else echo "not ok browser: left $(ls run)"; fi
