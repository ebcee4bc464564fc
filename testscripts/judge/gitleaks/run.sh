#!/bin/sh
# Judges memstore/redact by the cases of gitleaks' own rules and by ordinary
# text: recall, what is left alone, speed. Needs go and its module proxy.
# JUDGE_SEED (default 1) draws other secrets; -v lists every case that is missed.
set -eu

version=v8.30.1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

export GOWORK=off GOFLAGS=-mod=mod JUDGE_SEED="${JUDGE_SEED:-1}" JUDGE_CASES="$work/cases.jsonl"

# The cases are locals of functions; a copy of the module is made to tell them.
cd "$work"
source=$(go mod download -json "github.com/zricethezav/gitleaks/v8@$version" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
cp -R "$source" gitleaks
chmod -R u+w gitleaks
sed -e '/^\/\/go:build ignore$/d' -e 's/^package recorder/package utils/' "$here/recorder/validate.go" >gitleaks/cmd/generate/config/utils/validate.go
sed -e '/^\/\/go:build ignore$/d' -e 's/^package recorder/package secrets/' "$here/recorder/regen.go" >gitleaks/cmd/generate/secrets/regen.go
(cd gitleaks/cmd/generate/config && go run . "$work/rules.toml")

mkdir judge
sed "s|MEMSTORE|$root/memstore|" "$here/go.mod.txt" >judge/go.mod
cp "$root/memstore/go.sum" judge
sed '/^\/\/go:build ignore$/d' "$here/measure.go" >judge/measure.go
ordinary="$(go env GOROOT)/src $root"
for dir in /usr/lib/python3.*; do
	[ -d "$dir" ] && ordinary="$ordinary $dir"
done
cd judge
# shellcheck disable=SC2086 # a list of folders
go run . "$@" "$JUDGE_CASES" $ordinary
