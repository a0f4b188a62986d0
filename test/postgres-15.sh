#!/usr/bin/env bash
# npm run test:postgres: all tests on PostgreSQL 15 from Debian packages, the oldest supported version.
set -u
if [ "${1:-}" = --help ]; then
  sed -n 2p "$0" | cut -c3-
  exit 0
fi
cd "$(dirname "$0")/.." || exit 1

programs=/usr/lib/postgresql/15/bin
if [ ! -x "$programs/initdb" ]; then
  echo "PostgreSQL 15 is not installed: apt-get install postgresql-15 (as root), then try again." >&2
  exit 1
fi

home="$(mktemp -d)"
chmod 755 "$home"
as_server_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  chown postgres "$home"
  as_server_user() { runuser -u postgres -- "$@"; }
fi
stop_server() {
  as_server_user "$programs/pg_ctl" -D "$home/data" -m immediate stop >/dev/null
  rm -rf "$home"
}
trap stop_server EXIT

cd "$home" || exit 1
port="$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')"
as_server_user "$programs/initdb" -D "$home/data" -U postgres -A trust -E UTF8 --locale=C >/dev/null || exit 1
as_server_user "$programs/pg_ctl" -D "$home/data" -l "$home/log" -w \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start >/dev/null || exit 1
cd - >/dev/null || exit 1

export DATABASE_URL="postgresql://postgres@127.0.0.1:$port/postgres"
npm test && npm run test:long
