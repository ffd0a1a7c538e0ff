# Sourced by other scripts: builds the server and runs it on a port that the system chooses.

# start_server LOG: leaves its process in $server and its address in $base. Fails where it does not build, or ends instead of being ready.
start_server() {
	mkdir -p bin
	go build -buildvcs=false -o bin/laurel ./cmd/laurel || return
	: >"$1" # there before it is first read
	LAUREL_LISTEN=127.0.0.1:0 LAUREL_DRAIN=0s bin/laurel serve >>"$1" 2>&1 &
	server=$!
	for _ in $(seq 300); do
		base=$(sed -n 's/.*msg=serving address=\([^ ]*\).*/\1/p' "$1")
		[ -z "$base" ] || ! curl -sf "$base/readyz" >/dev/null || return 0
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	return 1
}

stop_server() { [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null; }
