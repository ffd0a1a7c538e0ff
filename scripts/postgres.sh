# Sourced by other scripts: starts a throwaway PostgreSQL on a free port and stops it at exit.
# Sets LAUREL_TEST_POSTGRES, or PG_MISSING with the reason where there is none. Durability is off: the data lives as long as the script.

postgres_bin() {
	local dir
	for dir in $(ls -d /usr/lib/postgresql/*/bin /usr/local/opt/postgresql*/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | sort -rV); do
		[ -x "$dir/initdb" ] && { echo "$dir"; return; }
	done
	command -v initdb >/dev/null && dirname "$(readlink -f "$(command -v initdb)")"
}

# initdb refuses root, so root runs the server as the user that the package made (or nobody).
as_server_user() {
	if [ "$(id -u)" != 0 ]; then "$@"; return; fi
	local user=postgres
	id -u postgres >/dev/null 2>&1 || user=nobody
	setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- "$@"
}

start_postgres() {
	PG_BIN=$(postgres_bin)
	if [ -z "$PG_BIN" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "installing PostgreSQL for the tests"
		{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } >/dev/null 2>&1 </dev/null
		PG_BIN=$(postgres_bin)
	fi
	[ -n "$PG_BIN" ] || { PG_MISSING="PostgreSQL is not installed (Debian: apt install postgresql)"; return 1; }
	PG_DIR=$(mktemp -d "${TMPDIR:-/tmp}/laurel-pg.XXXXXX")
	trap stop_postgres EXIT
	chmod 777 "$PG_DIR"
	local port
	port=$(free_port)
	if ! as_server_user "$PG_BIN/initdb" -D "$PG_DIR/data" -U postgres -A trust -E UTF8 --no-locale --no-sync >"$PG_DIR/log" 2>&1 ||
		! as_server_user "$PG_BIN/pg_ctl" -D "$PG_DIR/data" -w -t 60 -l "$PG_DIR/server.log" \
			-o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c max_connections=400 -c shared_buffers=256MB ${PG_OPTIONS:--c fsync=off -c full_page_writes=off -c synchronous_commit=off}" start >>"$PG_DIR/log" 2>&1; then
		PG_MISSING="PostgreSQL did not start: $(tail -n 3 "$PG_DIR/log" | tr '\n' ' ')"
		return 1
	fi
	export LAUREL_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
}

stop_postgres() {
	as_server_user "$PG_BIN/pg_ctl" -D "$PG_DIR/data" -m immediate stop >/dev/null 2>&1
	rm -rf "$PG_DIR"
}

# A port that nothing listens on now, below those that systems give to outgoing connections: one of them would take it before the server does.
free_port() {
	local port
	while :; do
		port=$((10000 + RANDOM % 20000))
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
	done
}
