#!/usr/bin/env bash
# Carries the steps of packaging/Dockerfile and packaging/compose.yaml out by hand, where no container engine runs: a
# root with nothing but the binary, the user and the environment of the image, a volume, the health check, PostgreSQL
# with secrets as files. LAUREL_BINARY names a binary to use; else one is built as for a release. Needs root and curl.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh

[ "$(id -u)" = 0 ] || { echo "packaging: chroot needs root" >&2; exit 1; }
chroot=$(command -v chroot)
server='' work=$(mktemp -d /tmp/laurel-packaging.XXXXXX)
root=$work/root
stop() { [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true; server=''; }
finish() {
	status=$?
	stop
	[ -z "${PG_DIR:-}" ] || stop_postgres
	! mountpoint -q "$root/proc" || umount "$root/proc"
	[ "$status" = 0 ] || tail -n 20 "$work/log" >&2
	rm -rf "${work:?}"
	exit "$status"
}
trap finish EXIT
ok() { echo "  ok    $*"; }
fail() { echo "  FAIL  $*" >&2; exit 1; }

# The image: its last stage, from the instructions themselves.
image=$(sed -e '/^ *#/d' packaging/Dockerfile | sed -e ':a;/\\$/{N;s/\\\n//;ba}' | sed -n '/^FROM .*distroless/,$p')
user=$(sed -n 's/^USER //p' <<<"$image") volume=$(sed -n 's/^VOLUME //p' <<<"$image")
read -ra environment <<<"$(sed -n 's/^ENV //p' <<<"$image")"
mapfile -t health < <(sed -n 's/^HEALTHCHECK .*CMD //p' <<<"$image" | jq -r '.[]')
mkdir -p "$root$volume" "$root/proc" "$root/tmp" "$root/run/secrets" "$root/etc/ssl/certs"
if [ -n "${LAUREL_BINARY:-}" ]; then
	cp "$LAUREL_BINARY" "$root/laurel"
	# A binary that was built for this machine alone may need its C library.
	for library in $(ldd "$root/laurel" 2>/dev/null | grep -o '/[^ ]*' || true); do cp --parents "$library" "$root"; done
else
	scripts/release.sh --binary "$root/laurel" devel
fi
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
chmod 0755 "$work" && chmod 1777 "$root/tmp" && chown "$user" "$root$volume" && chmod 0700 "$root$volume"
mount -t proc proc "$root/proc" 2>/dev/null || mount --bind /proc "$root/proc" 2>/dev/null ||
	echo "  (/proc cannot be mounted here: functions are not run)"

settings=() # of the container, as docker run --env has them
enter() { exec env -i "${environment[@]}" "${settings[@]}" "$chroot" --userspec="$user" --groups= "$root" "$@"; }
inside() { (enter "$@"); }
up() { # up FLAGS OF HEALTH: starts the container's command and waits until its health check says that it is well
	: >"$work/log"
	enter /laurel serve >>"$work/log" 2>&1 &
	server=$!
	for _ in $(seq 300); do
		! inside "${health[@]}" "$@" >/dev/null 2>&1 || return 0
		kill -0 "$server" 2>/dev/null || fail "the server ended"
		sleep 0.1
	done
	fail "the server is not well"
}

echo "the image, with a volume"
port=$(free_port)
settings=("LAUREL_LISTEN=127.0.0.1:$port" LAUREL_DRAIN=0s)
! inside "${health[@]}" >/dev/null 2>&1 || fail "the health check is green without a server"
up
curl -sf "http://127.0.0.1:$port/healthz" >/dev/null || fail "/healthz"
ok "user $user serves, and the health check is green"
inside /laurel init --name Acme --website Acme --currency Points --json 2>>"$work/log" >"$work/program.json"
inside /laurel backup "$volume/backup.tar.gz" 2>>"$work/log" >/dev/null
ok "a backup while it serves"
stop
rm "$root$volume"/laurel.db*
inside /laurel restore "$volume/backup.tar.gz" 2>>"$work/log" >/dev/null
up
inside /laurel organizations list 2>>"$work/log" | grep -q Acme || fail "the volume has lost the program"
inside /laurel verify 2>>"$work/log" | grep -q ' 0 discrepancies' || fail "verify"
ok "a new container on the volume has the program, restored from the backup"
stop
[ -z "$(find "$root" -xdev -user "${user%:*}" -not -path "$root$volume*" -print -quit)" ] || fail "it wrote outside of its volume"
ok "it wrote to its volume alone"

echo "compose, with PostgreSQL"
start_postgres || fail "$PG_MISSING"
trap finish EXIT # again: start_postgres sets a trap of its own
address=${LAUREL_TEST_POSTGRES#*@}
"$PG_BIN/psql" -qX "$LAUREL_TEST_POSTGRES" -c "CREATE ROLE laurel LOGIN PASSWORD 'not-a-secret'" -c "CREATE DATABASE laurel OWNER laurel"
echo "0123456789abcdef0123456789abcdef" >"$root/run/secrets/laurel_secret"
echo "127.0.0.1:*:laurel:laurel:not-a-secret" >"$root/run/secrets/pgpass"
chmod 0444 "$root/run/secrets"/*
# The environment of the service, with the address that PostgreSQL has here.
while IFS= read -r pair; do settings+=("$pair"); done < <(sed -n '/^  laurel:/,/^  postgres:/s/^      \([A-Z_]*\): \(.*\)$/\1=\2/p' \
	packaging/compose.yaml | grep -v '\${' | sed "s/@postgres:5432/@${address%%/*}/" | grep -v '^VERSION=')
printf '%s\n' "${settings[@]}" | grep -q '^LAUREL_DATABASE_URL=postgres' || fail "compose names no database"
up --ready
inside /laurel init --name Acme --website Acme --currency Points --json 2>>"$work/log" >"$work/program.json"
key=$(jq -r .websiteApiKey "$work/program.json")
curl -sf -H "X-API-KEY: $key" "http://127.0.0.1:$port/api/loyalty/currencies" >/dev/null || fail "the key is refused"
! grep -q 'LAUREL_SECRET is not set' "$work/log" || fail "the secret of the file is not used"
ok "user $user serves with PostgreSQL, and with secrets from files"
