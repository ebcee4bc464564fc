#!/usr/bin/env bash
# Measures minimal echo servers on mcpproto and on the two Go SDKs in one run: run.sh [BINARY] [-write]
# With -write it measures longer and writes the table into mcpproto/README.md. BINARY is there for the sake of the other judges.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$here" && find . -name '*.go' | while read -r f; do
	mkdir -p "$work/$(dirname "$f")"
	sed '/^\/\/go:build ignore$/d' "$f" >"$work/$f"
done)
cp "$here/go.mod.txt" "$work/go.mod"
cd "$work"
export GOWORK=off GOFLAGS=-mod=mod
go mod edit -replace "github.com/slipstream-mcp/slipstream/mcpproto=$tree/mcpproto"
mkdir bin
if ! go build -o bin/ ./... >log 2>&1; then
	if grep -qE 'dial tcp|no such host|connection refused|proxyconnect|timeout' log; then
		echo "SKIPPED Go SDKs: cannot be installed here"
		tail -n 3 log
		exit 0
	fi
	cat log
	exit 1
fi
options=()
[ "${*: -1}" != -write ] || options=(-rounds 15 -write "$tree/mcpproto/README.md")
bin/measure "${options[@]}" "mcpproto=bin/mcpproto" "mcpproto/schema=bin/schema" \
	"go-sdk v1.8.0=bin/gosdk" "mcp-go v1.2.1=bin/mcpgo"
