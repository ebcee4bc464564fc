#!/usr/bin/env bash
# Points real MCP clients at a built binary, in every way they open a connection: run.sh BINARY
# Each is installed in a temporary folder; one that cannot be had here is skipped aloud.
set -eu
[ $# -eq 1 ] || { echo "usage: run.sh BINARY" >&2; exit 2; }
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
sample=$(cd "$here/../../testdata/sample" && pwd)
tmp=$(mktemp -d)
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
failed=0

judge() { # NAME CLIENT... : plays the calls of calls.json
	echo "== $1"
	shift
	"$@" "$here/calls.json" "$binary" serve --root "$sample" || failed=1
}

skip() { # NAME WHY
	echo "SKIPPED $1: $2"
	tail -n 3 "$tmp/log"
}

npm_client() { # FOLDER NAME : whether it is installed
	cp -r "$here/$1" "$tmp/"
	: >"$tmp/log"
	if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
		skip "$2" "no node and npm here"
	elif ! (cd "$tmp/$1" && npm install --silent --no-audit --no-fund --no-package-lock) >"$tmp/log" 2>&1; then
		skip "$2" "npm install failed"
	else
		return 0
	fi
	return 1
}

go_client() { # FOLDER NAME : both ways to open a connection
	mkdir "$tmp/$1"
	cp "$here/$1/main.go" "$tmp/$1/"
	cp "$here/$1/go.mod.txt" "$tmp/$1/go.mod"
	# A file named on the command line is built in spite of its tag, which keeps it out of the module around it.
	if (cd "$tmp/$1" && GOWORK=off GOFLAGS=-mod=mod go build -o client main.go) >"$tmp/log" 2>&1; then
		for version in 2025-11-25 2026-07-28; do
			judge "$2, $version" "$tmp/$1/client" "$version"
		done
	elif grep -qE 'dial tcp|no such host|connection refused|proxyconnect|timeout' "$tmp/log"; then
		skip "$2" "cannot be installed here"
	else
		cat "$tmp/log"
		failed=1
	fi
}

if npm_client typescript "TypeScript SDK"; then
	judge "TypeScript SDK 1.32.2" node "$tmp/typescript/client.mjs" v1
	for mode in auto modern legacy; do
		judge "TypeScript SDK 2.4.0, $mode" node "$tmp/typescript/client.mjs" $mode
	done
fi
go_client gosdk "Go SDK 1.8.0"
go_client mcpgo "mcp-go 1.2.1"
if npm_client inspector "Inspector"; then
	for era in legacy auto modern; do
		echo "== Inspector 2.12.0, $era"
		"$tmp/inspector/inspector.sh" $era "$binary" serve --root "$sample" || failed=1
	done
fi
exit $failed
