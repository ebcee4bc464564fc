#!/usr/bin/env bash
# The official Inspector's command line in one era: inspector.sh ERA COMMAND [ARGS...], beside its node_modules.
# --strict refuses a schema that a client could stumble over.
set -u
here=$(cd "$(dirname "$0")" && pwd)
era=$1
shift
server=("$@")
export PATH="$here/node_modules/.bin:$PATH" MCP_CATALOG_PATH="$here/catalog-$era.json"
faults=0

step() { # EXIT-CODE WORD-OF-THE-ANSWER OPTIONS...
	local want=$1 holds=$2 got=0
	shift 2
	mcp-inspector --cli --protocol-era "$era" --format json "$@" -- "${server[@]}" >"$here/out" 2>"$here/err" || got=$?
	if [ $got = "$want" ] && grep -q -- "$holds" "$here/out" "$here/err"; then
		echo "ok   $*"
	else
		echo "FAIL $*: exit $got, wanted $want and $holds"
		tail -n 3 "$here/err"
		faults=1
	fi
}

step 0 slipstream --method initialize
step 0 sp_map --method tools/list --strict
step 0 '3 files' --method tools/call --tool-name sp_map
step 5 sp_nothing --method tools/call --tool-name sp_nothing
exit $faults
