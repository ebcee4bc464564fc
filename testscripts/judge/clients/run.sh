#!/usr/bin/env bash
# Points real MCP clients at a built binary: run.sh BINARY
# Each is installed in a temporary folder; one that cannot be had here is skipped aloud.
set -eu
[ $# -eq 1 ] || { echo "usage: run.sh BINARY" >&2; exit 2; }
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
sample=$here/../../testdata/sample
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0

judge() { # NAME COMMAND... : plays the calls of calls.json
	echo "== $1"
	shift
	"$@" "$here/calls.json" "$binary" serve --root "$sample" || failed=1
}

go_client() { # FOLDER
	mkdir "$tmp/$1"
	cp "$here/$1/main.go" "$tmp/$1/"
	cp "$here/$1/go.mod.txt" "$tmp/$1/go.mod"
	# A file named on the command line is built in spite of its tag, which keeps it out of the module around it.
	if (cd "$tmp/$1" && GOWORK=off GOFLAGS=-mod=mod go build -o client main.go) >"$tmp/log" 2>&1; then
		judge "$2" "$tmp/$1/client"
	elif grep -qE 'dial tcp|no such host|connection refused|proxyconnect|timeout' "$tmp/log"; then
		echo "SKIPPED $2: cannot be installed here"
		tail -n 3 "$tmp/log"
	else
		cat "$tmp/log"
		failed=1
	fi
}

if command -v npm >/dev/null && command -v node >/dev/null; then
	cp -r "$here/typescript" "$tmp/"
	if (cd "$tmp/typescript" && npm install --silent --no-audit --no-fund) >"$tmp/log" 2>&1; then
		judge "TypeScript SDK 1.32.2" node "$tmp/typescript/client.mjs"
	else
		echo "SKIPPED TypeScript SDK: npm install failed"
		tail -n 3 "$tmp/log"
	fi
else
	echo "SKIPPED TypeScript SDK: no node and npm here"
fi
go_client gosdk "Go SDK 1.8.0"
go_client mcpgo "mcp-go 1.2.1"
exit $failed
