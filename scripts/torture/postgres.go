package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"laurel.example/laurel/internal/dev/freeport"
)

// postgres is a temporary server of its own. Its writes survive its own end but not that of the machine: nothing here
// cuts the power.
type postgres struct {
	bin, dir     string
	port         int
	createdUsers int // by crashAndUseUpNumbers
}

// startPostgres creates a server in the folder dir, with further arguments for initdb, and starts it on a free port.
func startPostgres(ctx context.Context, o options, dir string, initdb ...string) (*postgres, error) {
	if o.postgres == "" {
		return nil, errors.New("PostgreSQL is not installed (Debian: apt install postgresql), or --postgres-bin was left out")
	}
	port, err := freeport.Find(ctx)
	if err != nil {
		return nil, err
	}
	p := &postgres{bin: o.postgres, dir: dir, port: port}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the server's user passes here
		return nil, err
	}
	if err := p.giveFolderToServer(o.dir); err != nil {
		return nil, err
	}
	initdb = append(
		[]string{"-D", p.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"},
		initdb...)
	if err := p.runProgram(ctx, "initdb", initdb...); err != nil {
		return nil, err
	}
	settings := fmt.Sprintf(
		"listen_addresses='127.0.0.1'\nport=%d\nunix_socket_directories=''\nmax_connections=200\nfsync=off\nmin_wal_size=32MB\nmax_wal_size=64MB\nrestart_after_crash=on\nwal_writer_delay=10s\n",
		port,
	)
	file, err := os.OpenFile(filepath.Join(p.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	_, err = file.WriteString(settings)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	err = p.start(ctx)
	return p, err
}

func (p *postgres) data() string { return filepath.Join(p.dir, "data") }

// giveFolderToServer makes the server's user the owner of the server's folder, since initdb refuses to run as root, and
// lets that user enter root, the folder above. If the command is not run by root, it does nothing.
func (p *postgres) giveFolderToServer(root string) error {
	who, err := serverUser()
	if err != nil || who == nil {
		return err
	}
	return errors.Join(
		os.Chmod(root, 0o755),
		os.Chown(p.dir, int(who.Uid), int(who.Gid)),
	) //nolint:gosec // a folder of this run
}

// serverUser returns the user as which PostgreSQL runs if root runs the command: the one that its package has created,
// or else nobody. If another user runs the command, PostgreSQL runs as that user too, and serverUser returns nil.
func serverUser() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil //nolint:nilnil // this user
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// runProgram runs one of PostgreSQL's programs as the user of the server. An error has the program's output.
func (p *postgres) runProgram(ctx context.Context, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	who, err := serverUser()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...) //nolint:gosec // PostgreSQL's programs
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	var output strings.Builder
	if args[len(args)-1] != "start" { // the server keeps its starter's output open
		cmd.Stdout, cmd.Stderr = &output, &output
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(output.String()))
	}
	return nil
}

// start starts the server and waits until it accepts connections. An error has the end of its log.
func (p *postgres) start(ctx context.Context) error {
	err := p.runProgram(ctx, "pg_ctl", "-D", p.data(), "-w", "-t", "60", "-l", filepath.Join(p.dir, "server.log"), "start")
	if err != nil {
		text, _ := os.ReadFile(filepath.Join(p.dir, "server.log"))
		return fmt.Errorf("%w: %s", err, text[max(0, len(text)-500):])
	}
	return nil
}

// crash stops the server without letting any transaction finish; it recovers when it starts again. It sends the signal
// that pg_ctl would, but returns sooner: as soon as the server is gone.
func (p *postgres) crash(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(p.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	_ = syscall.Kill(pid, syscall.SIGQUIT)
	err = waitUntil(ctx, "PostgreSQL is gone", func() bool {
		_, err := os.Stat(filepath.Join(p.data(), "postmaster.pid"))
		return errors.Is(err, os.ErrNotExist)
	})
	if err == nil {
		return nil
	}
	return p.runProgram(ctx, "pg_ctl", "-D", p.data(), "-w", "-m", "immediate", "stop")
}

// crashAndUseUpNumbers crashes the server, starts it again, and creates some users. Their transactions get the numbers
// that transactions lost in the crash had.
func (p *postgres) crashAndUseUpNumbers(ctx context.Context) error {
	if err := errors.Join(p.crash(ctx), p.start(ctx)); err != nil {
		return err
	}
	for range 5 {
		p.createdUsers++
		if err := p.runProgram(
			ctx,
			"createuser",
			"-h",
			"127.0.0.1",
			"-p",
			strconv.Itoa(p.port),
			"-U",
			"postgres",
			fmt.Sprintf("nobody_%d", p.createdUsers),
		); err != nil {
			return err
		}
	}
	return nil
}

// startIfDown starts the server if it has given up, as it does when its disk is full.
func (p *postgres) startIfDown(ctx context.Context) error {
	for range 20 {
		if p.runProgram(ctx, "pg_isready", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port)) == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = p.crash(ctx) // it may be gone entirely, or still ending
	return p.start(ctx)
}

func (p *postgres) close() {
	_ = p.crash(context.Background())
}

func (p *postgres) host() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)) }

// createDatabase creates an empty database and returns its address.
func (p *postgres) createDatabase(ctx context.Context, name string) (string, error) {
	err := p.runProgram(ctx, "createdb", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres", name)
	return "postgres://postgres@" + p.host() + "/" + name + "?sslmode=disable", err
}
