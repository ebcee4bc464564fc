#!/usr/bin/env bash
# Asks the languages' own compilers where every declaration is, and prints how often slipstream agrees: run.sh BINARY [CORPUS...]
# Corpora: go python zod rxjs effect (all of them by default). One that cannot be had here is skipped aloud.
# "core" are functions, methods and types, "values" variables, constants and fields; exact_end is the figure to read:
# the name is there, it starts between its doc comment and its name, and it ends on the compiler's line.
set -eu
[ $# -ge 1 ] || { echo "usage: run.sh BINARY [CORPUS...]" >&2; exit 2; }
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
[ $# -gt 0 ] || set -- go python zod rxjs effect
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if ! command -v python3 >/dev/null; then
	echo "SKIPPED oracles: no python3 here to keep the score"
	exit 0
fi

score() { # NAME FOLDER: compares truth.json of the oracle with the program's own outline
	"$binary" outline --json "$2" >"$tmp/$1.own"
	python3 "$here/score.py" "$tmp/$1.truth" "$tmp/$1.own" "$1"
}

skip() { echo "SKIPPED $1: $2"; }

typescript() { # the compiler, once
	[ -d "$tmp/ts/node_modules" ] && return
	mkdir -p "$tmp/ts" && cp "$here/typescript.js" "$tmp/ts/"
	(cd "$tmp/ts" && npm install --silent --no-audit --no-fund typescript@5.9) >"$tmp/log" 2>&1
}

npm_sources() { # NAME PACKAGE@VERSION: a package that ships its TypeScript sources
	if ! command -v npm >/dev/null || ! typescript; then
		skip "$1" "no npm, or no TypeScript compiler from it"
		return
	fi
	mkdir "$tmp/$1"
	if ! (cd "$tmp/$1" && npm pack --silent "$2" && tar xzf ./*.tgz) >"$tmp/log" 2>&1; then
		skip "$1" "npm pack $2 failed"
		return
	fi
	node "$tmp/ts/typescript.js" "$tmp/$1/package/src" "$tmp/$1.truth"
	score "$1" "$tmp/$1/package/src"
}

for corpus in "$@"; do
	case $corpus in
	go)
		go run "$here/golang.go" "$(go env GOROOT)/src" "$tmp/go.truth"
		score go "$(go env GOROOT)/src"
		;;
	python)
		library=$(python3 -c 'import os; print(os.path.dirname(os.__file__))')
		mkdir "$tmp/python" # what pip put in between is no part of it
		tar cf - -C "$library" --exclude=site-packages . | tar xf - -C "$tmp/python"
		python3 "$here/python.py" "$tmp/python" "$tmp/python.truth"
		score python "$tmp/python"
		;;
	zod) npm_sources zod zod@4.6.7 ;;
	rxjs) npm_sources rxjs rxjs@7.8.2 ;;
	effect) npm_sources effect effect@4.1.0 ;;
	*) echo "unknown corpus $corpus" >&2; exit 2 ;;
	esac
done
