#!/usr/bin/env bash
# Holds budget.Tokens against the real o200k tokenizer. Arguments go to the
# program (see main.go): none for the table and the verdict.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for f in "$here"/*.go; do
	sed '/^\/\/go:build ignore$/d' "$f" >"$work/$(basename "$f")"
done
cp "$here/go.mod.txt" "$work/go.mod"
cp "$here/go.sum.txt" "$work/go.sum"
export GOWORK=off GOFLAGS=-mod=mod
(
	cd "$work"
	go mod edit -replace "github.com/slipstream-mcp/slipstream/budget=$tree/budget"
	go build -o tokens .
)
"$work/tokens" -tree "$tree" "$@"
