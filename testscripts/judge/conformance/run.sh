#!/usr/bin/env bash
# Runs the official conformance suite against a built binary, through a bridge to HTTP: run.sh BINARY
# baseline.yml names what a tools-only server need not pass. The suite is installed in a temporary folder, or skipped aloud.
set -eu
[ $# -eq 1 ] || { echo "usage: run.sh BINARY" >&2; exit 2; }
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
sample=$(cd "$here/../../testdata/sample" && pwd)
tmp=$(mktemp -d)
bridge=
trap '[ -z "$bridge" ] || kill "$bridge" 2>/dev/null || true; rm -rf "$tmp"' EXIT

cp "$here/package.json" "$here/bridge.mjs" "$here/baseline.yml" "$tmp/"
cd "$tmp"
: >log
if ! command -v npm >/dev/null || ! npm install --silent --no-audit --no-fund --no-package-lock >log 2>&1; then
	echo "SKIPPED conformance suite: npm install failed"
	tail -n 3 log
	exit 0
fi
export PATH="$tmp/node_modules/.bin:$PATH"

node bridge.mjs "$binary" serve --root "$sample" >address &
bridge=$!
for _ in $(seq 100); do
	[ -s address ] && break
	sleep 0.1
done
failed=0

scenario() { # REVISION NAME
	if node node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$(cat address)" \
		--spec-version "$1" --scenario "$2" --expected-failures baseline.yml >out 2>&1; then
		echo "ok   $2, $1"
	else
		echo "FAIL $2, $1"
		grep -E 'FAILURE|WARNING|rror' out || cat out
		failed=1
	fi
}

for name in server-initialize ping tools-list; do scenario 2025-11-25 "$name"; done
for name in server-stateless tools-list caching; do scenario 2026-07-28 "$name"; done
exit $failed
