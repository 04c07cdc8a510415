#!/bin/sh
# The command `millrace` of an installed package: `millrace start` runs the server, everything else
# is ctl. A shell script, because it has to choose the Node.js that came with the package, with its
# options, and to become it: supervisors signal the process that they started.
set -eu

file=$0
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
root=$(cd "$(dirname "$file")/../.." && pwd -P)

# npm puts dependencies below the package, or beside it when it is a dependency itself.
node=$root/node_modules/node/bin/node
[ -x "$node" ] || node=$root/../node/bin/node
if [ ! -x "$node" ]; then
  echo "millrace: npm has not run the install scripts: install it again with --allow-scripts, as in OPERATING.md, \"As a command\"" >&2
  exit 1
fi

load=$root/src/app/type_stripping/load.js
if [ "${1-}" = start ]; then
  shift
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" # see src/app/runtime.ts
  exec "$node" --max-semi-space-size=8 --import "$load" "$root/src/main.ts" "$@"
fi
exec "$node" --import "$load" "$root/src/cli/main.ts" "$@"
