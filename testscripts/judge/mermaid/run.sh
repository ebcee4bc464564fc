#!/usr/bin/env bash
# Has Mermaid's own parser read the goldens of the module mermaid and 2,000
# diagrams with hostile labels. An argument is another number of diagrams.
# Needs go, node and npm; installs the parser into a temporary folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../../.." && pwd)
count=2000
[[ "${1:-}" =~ ^[0-9]+$ ]] && count=$1
if ! command -v npm >/dev/null; then
	echo "skipped: no npm on this machine"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$here/package.json" "$here/parse.mjs" "$work"
(cd "$work" && npm install --no-audit --no-fund --silent)

sed '/^\/\/go:build ignore$/d' "$here/generate.go" >"$work/generate.go"
(
	cd "$work"
	export GOWORK=off GOFLAGS=-mod=mod
	go mod init judge 2>/dev/null
	go mod edit -go 1.26.0 -require github.com/slipstream-mcp/slipstream/mermaid@v0.0.0 \
		-replace "github.com/slipstream-mcp/slipstream/mermaid=$tree/mermaid"
	go run generate.go -n "$count" >generated.json
)
node "$work/parse.mjs" "$tree/mermaid/testdata" "$work/generated.json"
