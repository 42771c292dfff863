#!/bin/bash
# What Tab offers: the completions of bash and fish are asked as the shells ask them, that of zsh through a terminal.
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir bin && ln -s "$STROBE" bin/strobe && PATH=$dir/bin:$PATH
touch a.sbp b.sbt

bash_offers() { # words of the command line, the last one unfinished
    # shellcheck disable=SC1090
    source <("$STROBE" completion bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _strobe
    printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | tr '\n' ' '
}
fish_offers() {
    fish -c "source (strobe completion fish | psub); complete -C '$*'" | cut -f 1 | LC_ALL=C sort | tr '\n' ' '
}
zsh_offers() { # what `strobe WORDS<Tab>` leaves on the line
    timeout 60 zsh -f "$dir/ask.zsh" "$*" >log 2>&1
    cat answer && rm answer
}
cat > ask.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f
ask() { zpty -w shell "$1"; }
ask "PS1= RPS1= fpath=($PWD/functions \$fpath)"
ask 'autoload -Uz compinit; compinit -u -D; setopt nolistbeep'
ask 'bindkey "^I" complete-word; show() { print -r -- "$BUFFER" > answer; exit }; zle -N show; bindkey "^X" show'
zpty -w -n shell "$1"$'\t\x18'
while zpty -r shell line; do print -r -- "$line"; done # until the shell ends
ZSH
mkdir functions && strobe completion zsh > functions/_strobe

same() { # NAME, wanted, got
    if [ "$2" = "$3" ]; then echo "ok completion: $1"; else echo "not ok completion: $1: '$3', wanted '$2'"; fi
}
sections=$(strobe help report | sed -n '/^sections:/,/^$/s/^  \([a-z]*\) .*/\1/p' | LC_ALL=C sort | tr '\n' ' ')
same "bash: commands" "report " "$(bash_offers strobe rep)"
same "bash: options" "--fail-on --format " "$(bash_offers strobe report a.sbp --f)"
same "bash: values" "json jsonl " "$(bash_offers strobe dump --format js)"
same "bash: values after =" "json jsonl " "$(bash_offers strobe dump --format = js)"
same "bash: sections" "$sections" "$(bash_offers strobe report a.sbp "")"
same "bash: files" "a.sbp " "$(bash_offers strobe report a.s)"
same "bash: tables" "migration " "$(bash_offers strobe export a.sbp --table mig)"
printf '#!/bin/sh\necho "epmd: up and running on port 4369 with data:"
printf "name %%s at port 1\\n" shop till\n' > bin/epmd
chmod +x bin/epmd
same "bash: nodes" "shop till " "$(bash_offers strobe attach "")"
same "bash: columns" "runnable_ns " "$(bash_offers strobe report a.sbp processes --sort runnable_n)"
same "bash: views" "merged messages " "$(bash_offers strobe export a.sbp --what me)"
same "bash: classes" "running " "$(bash_offers strobe record --trace ru)"
same "bash: the command to run" "strobe " "$(bash_offers strobe record -- strob)"

same "fish: commands" "report " "$(fish_offers strobe rep)"
same "fish: options" "--fail-on --format " "$(fish_offers strobe report a.sbp --f)"
same "fish: values" "json jsonl " "$(fish_offers strobe dump --format js)"
same "fish: tables" "migration " "$(fish_offers strobe export a.sbp --table mig)"

same "fish: nodes" "shop " "$(fish_offers strobe top sho)"
same "zsh: nodes" "strobe top till " "$(zsh_offers strobe top ti)"
same "zsh: commands" "strobe report " "$(zsh_offers strobe rep)"
same "zsh: options" "strobe export --table=" "$(zsh_offers strobe export --ta)"
same "zsh: values" "strobe export --to speedscope " "$(zsh_offers strobe export --to sp)"
same "zsh: sections" "strobe report a.sbp migrations " "$(zsh_offers strobe report a.sbp migr)"
