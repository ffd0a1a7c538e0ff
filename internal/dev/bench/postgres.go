package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel/internal/dev/freeport"
)

// cluster is the PostgreSQL server that rows, and pgbench beside them, are measured on.
type cluster struct {
	address  string // the address of its first database
	settings string // those that decide what a commit costs, as the server says them
}

const (
	maxSharedBuffers = 2 << 30 // shared_buffers, unless a quarter of the memory is less
	assumedMemory    = 2 << 30 // used if the system does not say its memory
)

// postgres returns the PostgreSQL server of this run: that of the options, or a temporary one that the first call
// starts.
func (b *bench) postgres(ctx context.Context) (*cluster, error) {
	if b.cluster != nil {
		return b.cluster, nil
	}
	address := b.Postgres
	if address == "" {
		var err error
		if address, err = b.startPostgres(ctx); err != nil {
			return nil, err
		}
	}
	c := &cluster{address: address}
	var err error
	if c.settings, err = c.readSettings(ctx); err != nil {
		return nil, err
	}
	b.logf("PostgreSQL %s", c.settings)
	b.cluster = c
	return c, nil
}

// startPostgres starts PostgreSQL on the cluster in the data folder, with every durability on, and returns its address.
// It creates the cluster if there is none. The server stops when the bench is closed.
func (b *bench) startPostgres(ctx context.Context) (string, error) {
	bin, err := postgresBin()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.dir, "postgres")
	if err := b.createClusterFolder(dir); err != nil {
		return "", err
	}
	data := filepath.Join(dir, "data")
	if _, err := os.Stat(
		filepath.Join(data, "PG_VERSION"),
	); errors.Is(err, os.ErrNotExist) ||
		errors.Is(err, os.ErrPermission) {
		b.logf("making a PostgreSQL cluster in %s", data)
		if err := asServerUser(
			ctx,
			filepath.Join(bin, "initdb"),
			"-D",
			data,
			"-U",
			"postgres",
			"-A",
			"trust",
			"-E",
			"UTF8",
			"--no-locale",
		); err != nil {
			return "", err
		}
	}
	port, err := freeport.Find(ctx)
	if err != nil {
		return "", err
	}
	shared := min(maxSharedBuffers, max(ram(), assumedMemory)/4) >> 20
	settings := fmt.Sprintf(
		"-c listen_addresses=127.0.0.1 -c port=%d -c unix_socket_directories= -c max_connections=300 -c shared_buffers=%dMB "+
			"-c fsync=on -c synchronous_commit=on -c full_page_writes=on -c max_wal_size=4GB",
		port,
		shared,
	)
	control := filepath.Join(bin, "pg_ctl")
	if err := asServerUser(
		ctx,
		control,
		"-D",
		data,
		"-w",
		"-t",
		"300",
		"-l",
		filepath.Join(dir, "log"),
		"-o",
		settings,
		"start",
	); err != nil {
		return "", err
	}
	b.onClose(func() error {
		return asServerUser(context.WithoutCancel(ctx), control, "-D", data, "-w", "-t", "300", "-m", "fast", "stop")
	})
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port), nil
}

// createClusterFolder creates the folder of the cluster. If root runs the bench, the folder gets another owner: the
// user that PostgreSQL runs as.
func (b *bench) createClusterFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // nothing in it is secret, and another user works in it
		return err
	}
	if os.Getuid() != 0 {
		return nil
	}
	if err := os.Chmod(b.dir, 0o755); err != nil { //nolint:gosec // as above
		return err
	}
	name, err := serverUser()
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(name.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(name.Gid)
	return errors.Join(err, os.Chown(dir, uid, gid))
}

// serverUser returns the user that PostgreSQL runs as if root runs the bench: that of its Debian package.
func serverUser() (*user.User, error) {
	name, err := user.Lookup("postgres")
	if err != nil {
		return nil, errors.New(
			"root cannot run PostgreSQL and there is no user postgres: install PostgreSQL (Debian: apt install postgresql)",
		)
	}
	return name, nil
}

// asServerUser runs a program of PostgreSQL, which refuses root: root runs it as serverUser.
func asServerUser(ctx context.Context, program string, arguments ...string) error {
	line := append([]string{program}, arguments...)
	if os.Getuid() == 0 {
		name, err := serverUser()
		if err != nil {
			return err
		}
		line = append([]string{"setpriv", "--reuid=" + name.Uid, "--regid=" + name.Gid, "--clear-groups", "--"}, line...)
	}
	_, err := run(ctx, line[0], line[1:]...)
	return err
}

// run runs a program and returns its output. The error has the last lines of the output.
func run(ctx context.Context, program string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = os.TempDir() // one that every user may enter
	// A file, not a pipe: a server that stays in the background would keep a pipe open for ever.
	out, err := os.CreateTemp("", "laurel-bench-output-")
	if err != nil {
		return "", err
	}
	defer func() { _, _ = out.Close(), os.Remove(out.Name()) }()
	command.Stdout, command.Stderr = out, out
	failure := command.Run()
	text, err := os.ReadFile(out.Name())
	if failure != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(program), failure, lastLines(string(text), 3))
	}
	return string(text), err
}

// lastLines returns the last n lines of a text, as one line.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], " ")
}

// postgresBin returns the folder with the programs of the newest installed PostgreSQL.
func postgresBin() (string, error) {
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin/initdb", "/opt/homebrew/opt/postgresql*/bin/initdb", "/usr/local/opt/postgresql*/bin/initdb"} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return filepath.Dir(slices.MaxFunc(found, byVersion)), nil
		}
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", missingProgram("initdb", "PostgreSQL", "postgresql")
	}
	path, err = filepath.EvalSymlinks(path)
	return filepath.Dir(path), err
}

// byVersion compares paths by length, then by letters: so 9 comes before 15.
func byVersion(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// missingProgram returns the error for a program that a row needs and that is not installed. A row is never skipped
// silently.
func missingProgram(program, product, debian string) error {
	return fmt.Errorf("%s is missing: install %s (Debian: apt install %s)", program, product, debian)
}

// database returns the address of a database of the server.
func (c *cluster) database(name string) string {
	u, err := url.Parse(c.address)
	if err != nil {
		return c.address // opening it returns the error
	}
	u.Path = "/" + name
	return u.String()
}
