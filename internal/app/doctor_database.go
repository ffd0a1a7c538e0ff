package app

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel/internal/store"
)

// inspectTimeout bounds how long the database may take to be looked at.
const inspectTimeout = 15 * time.Second

// checkDatabase looks at the database and its schema. What it returns is empty where the database cannot be read.
func (x *examination) checkDatabase(ctx context.Context) store.Inspection {
	if store.CheckURL(x.Database) != nil {
		return store.Inspection{} // the configuration's finding
	}
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	db, err := store.Inspect(ctx, x.Database, storedKeySetting, sealedUnderSetting, sealKeySetting)
	if err != nil {
		x.add(FindingFail, "database", err.Error(), "check --database (LAUREL_DATABASE_URL), and that the database runs and can be reached from here")
		return store.Inspection{}
	}
	if db.Engine == store.SQLite {
		x.checkSQLite(db.SQLite, db.Version)
	} else {
		x.ok("database", "PostgreSQL %s on %s", db.Version, db.Postgres.Host)
		x.checkPostgres(db.Postgres, db.IsNew || db.Pending > 0)
	}
	switch {
	case db.IsNew:
		x.ok("schema", "there is none yet; laurel serve or laurel init creates it")
	case db.Unknown > 0:
		x.add(FindingFail, "schema", fmt.Sprintf("the database has migration %d of a newer version of laurel", db.Unknown),
			"run that version, or restore a backup from before the upgrade")
	case db.Pending > 0:
		x.add(FindingWarn, "schema", fmt.Sprintf("migrations that are not applied yet: %d", db.Pending),
			"make a backup; the next laurel serve applies them, or laurel migrate up")
	default:
		x.ok("schema", "up to date")
	}
	return db
}

// checkSQLite checks the file of a SQLite database.
func (x *examination) checkSQLite(s store.SQLiteState, version string) {
	if s.Size == 0 {
		x.ok("database", "SQLite; %s does not exist yet", s.Path)
		return
	}
	x.ok("database", "SQLite %s, %s, %s", version, s.Path, sizeText(uint64(s.Size))) //nolint:gosec // sizes are not negative
	if s.Mode&0o077 != 0 {
		x.add(FindingWarn, "database", fmt.Sprintf("%s can be read by others than its owner (mode %o)", s.Path, s.Mode),
			"chmod 600 "+s.Path+"; it holds personal data and secrets")
	}
	if !s.IsWAL {
		x.add(FindingWarn, "database", "it has no write-ahead log (journal mode wal)",
			"nothing: the next server sets it. If it does not stay, another program opens the file")
	}
}

// setting is what a parameter of PostgreSQL must be.
type setting struct {
	name, want string
	state      FindingState // where it is not
	why, mend  string
}

// postgresSettings are the parameters that cost durability or speed where they are wrong.
var postgresSettings = []setting{
	{"fsync", "on", FindingFail, "a crash of the machine may destroy the database", "set fsync = on in postgresql.conf"},
	{"full_page_writes", "on", FindingFail, "a crash of the machine may destroy the database", "set full_page_writes = on in postgresql.conf"},
	{"default_transaction_read_only", "off", FindingFail, "nothing can be written", "ALTER ROLE … SET default_transaction_read_only = off"},
	{"autovacuum", "on", FindingWarn, "tables grow, and their statistics grow old", "set autovacuum = on in postgresql.conf"},
}

// checkPostgres checks a PostgreSQL server. The role needs the right to create tables only if the next server migrates:
// the nodes may have a role that can read and write rows and nothing else.
func (x *examination) checkPostgres(p store.PostgresState, migrates bool) {
	const check = "postgresql"
	before := len(x.findings)
	if number, err := strconv.Atoi(p.Parameters["server_version_num"]); err == nil && number/10000 < store.MinPostgresVersion {
		x.add(FindingFail, check, fmt.Sprintf("PostgreSQL %d or newer is needed", store.MinPostgresVersion), "upgrade the database server")
	}
	if p.IsStandby {
		x.add(FindingFail, check, "the server is a standby: nothing can be written", "connect to the primary")
	}
	if migrates && !p.MayCreate {
		x.add(FindingFail, check, "the role may not create tables, and there are migrations to apply",
			"run laurel migrate up as the role that owns the tables, or GRANT CREATE ON SCHEMA public TO this one")
	}
	if p.Encoding != "UTF8" {
		x.add(FindingFail, check, "the encoding of the database is "+p.Encoding, "create it with ENCODING 'UTF8'")
	}
	for _, s := range postgresSettings {
		if value := p.Parameters[s.name]; value != s.want {
			x.add(s.state, check, fmt.Sprintf("%s is %s: %s", s.name, value, s.why), s.mend)
		}
	}
	// A write is acknowledged to callers, so it must survive a crash; remote_write and on wait for a standby, too.
	if value := p.Parameters["synchronous_commit"]; value == "off" {
		x.add(FindingFail, check, "synchronous_commit is off: a crash loses writes that callers know as done",
			"set synchronous_commit = on for the server and for the role")
	}
	x.checkConnections(p)
	if !p.IsEncrypted && !strings.HasPrefix(p.Host, "/") && !isLoopbackHost(p.Host) {
		x.add(FindingWarn, check, "the connection to "+p.Host+" is not encrypted",
			"add ?sslmode=verify-full to the address, unless the network between is yours alone")
	}
	if len(x.findings) == before {
		x.ok(check, "durable settings, UTF8, %s connections, %d in use", p.Parameters["max_connections"], p.Connections)
	}
	x.checkClock(p.Skew)
}

// checkConnections compares what a node opens at most with what the server accepts.
func (x *examination) checkConnections(p store.PostgresState) {
	most, err := strconv.Atoi(p.Parameters["max_connections"])
	if err != nil {
		return
	}
	reserved, _ := strconv.Atoi(p.Parameters["superuser_reserved_connections"]) // 0 where it is unknown
	const mend = "raise max_connections; a node opens at most 41, see SQLite or PostgreSQL in docs/operations.md"
	if free := most - reserved; free < store.ConnectionsPerNode {
		x.add(FindingFail, "postgresql", fmt.Sprintf("max_connections allows %d connections, and a node opens up to %d",
			free, store.ConnectionsPerNode), mend)
	} else if free-p.Connections < store.ConnectionsPerNode {
		x.add(FindingWarn, "postgresql", fmt.Sprintf("%d of %d connections are in use, and a further node opens up to %d",
			p.Connections, free, store.ConnectionsPerNode), mend)
	}
}

// checkClock compares the clocks of the database and of this machine.
func (x *examination) checkClock(skew time.Duration) {
	ahead := "ahead of"
	if skew < 0 {
		ahead = "behind"
	}
	text := fmt.Sprintf("the database's clock is %s %s this machine's", skew.Abs().Round(time.Millisecond), ahead)
	const mend = "let NTP set the clocks of all nodes and of the database"
	switch {
	case skew.Abs() > store.MaxClockSkew:
		x.add(FindingFail, "clock", text, mend)
	case skew.Abs() > store.MaxClockSkew/3:
		x.add(FindingWarn, "clock", text, mend)
	default:
		x.ok("clock", "%s", text)
	}
}

// sizeText returns a number of bytes for people, such as 12.3 MiB.
func sizeText(bytes uint64) string {
	for _, u := range []struct {
		unit  string
		bytes uint64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if bytes >= u.bytes {
			return fmt.Sprintf("%.1f %s", float64(bytes)/float64(u.bytes), u.unit)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}
