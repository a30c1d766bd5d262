#!/usr/bin/env bash
# The quickstart from end to end on an embedded cluster: demo.sh BALLAST
# Nothing outside of a temporary directory is written to.
set -euo pipefail

ballast=$(realpath "${1:?usage: demo.sh BALLAST}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
sandbox=
clean_up() {
  [ -z "$sandbox" ] || kill "$sandbox" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

say() { printf '\n\033[1m$ ballast %s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi; }
run() { say "$@"; "$ballast" "$@"; }

cp "$here"/*.hcl "$here/snapshot.json" "$work"
cd "$work"

say sandbox -snapshot snapshot.json
"$ballast" sandbox -snapshot snapshot.json >bootstrap &
sandbox=$!
for _ in $(seq 100); do
  [ ! -s bootstrap ] || break
  kill -0 "$sandbox" || { echo "the sandbox ended" >&2; exit 1; }
  sleep 0.1
done
export BALLAST_BOOTSTRAP
BALLAST_BOOTSTRAP=$(cat bootstrap)

run plan -out quickstart.plan
run apply quickstart.plan
run plan -detailed-exitcode
printf '\nThe second plan is empty: the cluster is as declared.\n'
