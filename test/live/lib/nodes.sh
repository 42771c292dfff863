# Shared by the tests of several nodes at once: a, b and c, each in a folder of its name. To be sourced after attach.sh.
declare -A vms before
host=$(hostname -s) names=() base=$node
at() { cd "$dir/$1" && vm=${vms[$1]} && "${@:2}"; local code=$?; cd "$dir" || exit; return $code; } # NODE COMMAND
end_all() { kill -9 "${vms[@]}"; wait "${vms[@]}"; vm=; cleanup; } 2>/dev/null
trap end_all EXIT
begin_node() { # NODE ERL_FLAGS...
    mkdir -p "$1"; node=${base}_$1
    cd "$1" && start_node -pa "$dir" -s subject start "${@:2}" ||
        { echo "not ok $test_area: a node starts: $(cat node.log)"; exit; }
    cd "$dir" || exit
    vms[$1]=$vm before[$1]=$(at "$1" state_at_rest)
}
begin_nodes() { local n; for n in a b c; do names+=("${base}_$n@$host"); begin_node $n "$@"; done; } # ERL_FLAGS...
all_as_before() { local n before_all; for n in "$@"; do before=${before[$n]}; at "$n" as_before || return; done; }
