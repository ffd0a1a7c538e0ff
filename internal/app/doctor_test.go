package app_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/store"
)

// TestAPostgreSQLServerIsExamined covers what a server of the tests cannot be: each case changes one thing of a good one.
func TestAPostgreSQLServerIsExamined(t *testing.T) {
	t.Parallel()
	parameters := map[string]string{
		"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "100",
		"superuser_reserved_connections": "3", "autovacuum": "on", "default_transaction_read_only": "off",
		"server_version_num": "150004",
	}
	set := func(name, value string) func(*store.PostgresState) {
		return func(p *store.PostgresState) { p.Parameters[name] = value }
	}
	for _, c := range []struct {
		name   string
		change func(*store.PostgresState)
		state  app.FindingState
		words  string
	}{
		{"good", func(*store.PostgresState) {}, app.FindingOK, "durable settings"},
		{"fsync", set("fsync", "off"), app.FindingFail, "fsync is off"},
		{"full_page_writes", set("full_page_writes", "off"), app.FindingFail, "full_page_writes is off"},
		{"synchronous_commit", set("synchronous_commit", "off"), app.FindingFail, "synchronous_commit is off"},
		{"a standby is waited for", set("synchronous_commit", "remote_apply"), app.FindingOK, "durable settings"},
		{"read only", set("default_transaction_read_only", "on"), app.FindingFail, "nothing can be written"},
		{"autovacuum", set("autovacuum", "off"), app.FindingWarn, "autovacuum is off"},
		{"version", set("server_version_num", "140011"), app.FindingFail, "PostgreSQL 15 or newer is needed"},
		{"few connections", set("max_connections", "40"), app.FindingFail, "a node opens up to 41"},
		{"connections in use", func(p *store.PostgresState) { p.Connections = 70 }, app.FindingWarn, "70 of 97 connections are in use"},
		{"standby", func(p *store.PostgresState) { p.IsStandby = true }, app.FindingFail, "is a standby"},
		{"rights", func(p *store.PostgresState) { p.MayCreate = false }, app.FindingFail, "may not create tables"},
		{"rights that an up-to-date schema does not need", func(p *store.PostgresState) { p.MayCreate = false }, app.FindingOK, "durable settings"},
		{"encoding", func(p *store.PostgresState) { p.Encoding = "LATIN1" }, app.FindingFail, "encoding of the database is LATIN1"},
		{"no TLS", func(p *store.PostgresState) { p.IsEncrypted = false }, app.FindingWarn, "db.example is not encrypted"},
		{"no TLS on a socket", func(p *store.PostgresState) { p.IsEncrypted, p.Host = false, "/run/postgresql" }, app.FindingOK, "durable settings"},
		{"clock", func(p *store.PostgresState) { p.Skew = -4 * time.Second }, app.FindingFail, "4s behind this machine's"},
		{"clock, a little", func(p *store.PostgresState) { p.Skew = 2 * time.Second }, app.FindingWarn, "2s ahead of this machine's"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := store.PostgresState{
				Host: "db.example", IsEncrypted: true, MayCreate: true, Encoding: "UTF8", Connections: 5,
				Parameters: maps.Clone(parameters),
			}
			c.change(&p)
			bad, found := 0, false
			findings := app.ExaminePostgres(p, c.name == "rights")
			for _, f := range findings {
				found = found || f.State == c.state && strings.Contains(f.Message, c.words)
				if f.State != app.FindingOK {
					bad++
				}
			}
			if wanted := map[bool]int{true: 0, false: 1}[c.state == app.FindingOK]; !found || bad != wanted {
				t.Errorf("want %s %q alone: %+v", c.state, c.words, findings)
			}
		})
	}
}
