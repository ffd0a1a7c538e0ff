package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// disk is a small file system of its own, so that filling it affects nothing else.
type disk struct {
	dir string
}

// mountDisk mounts a tmpfs of the given size in the folder dir. It needs root and the right to mount.
func mountDisk(ctx context.Context, dir string, megabytes int) (*disk, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%dm,mode=0755", megabytes), "tmpfs", dir).
		CombinedOutput()

		//nolint:gosec // a folder of this run
	if err != nil {
		return nil, fmt.Errorf(
			"a small disk cannot be mounted here (root and the right to mount are needed): %w: %s",
			err,
			strings.TrimSpace(string(out)),
		)
	}
	return &disk{dir}, nil
}

// ballastFile returns the path of the file that fills the disk.
func (d *disk) ballastFile() string { return filepath.Join(d.dir, "ballast") }

// fill writes the ballast file until no byte is left.
func (d *disk) fill() error {
	file, err := os.OpenFile(d.ballastFile(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := file.Write(block); err != nil {
			if !errors.Is(err, syscall.ENOSPC) {
				return err
			}
			block = block[:len(block)/2] // the last bytes too
		}
	}
	return nil
}

// makeRoom removes the ballast file.
func (d *disk) makeRoom() error { return os.Remove(d.ballastFile()) }

// close unmounts the disk; it goes on existing for a process that has a file open there.
func (d *disk) close() {
	_ = exec.Command("umount", "-l", d.dir).Run() //nolint:noctx,gosec // also after the run was broken off
}

// playDisk fills the disk under load and makes room again. In every other round it also kills the server while the disk
// is full. The files of the engine, SQLite or PostgreSQL, are on that disk.
func playDisk(ctx context.Context, o options, s *stepRun, t *reporter) {
	rounds := o.roundCount(6, 2)
	const size = 220 // MB: what all rounds write must fit, or the disk is full without the ballast
	d, err := mountDisk(ctx, filepath.Join(s.dir, "disk"), size)
	if err != nil {
		t.addRound(s.title("disk full", 0, rounds), "not possible", 0, []string{"disk: " + err.Error()})
		return
	}
	defer d.close()
	database := "sqlite:" + filepath.Join(d.dir, "laurel.db")
	if s.postgres != nil {
		pg, err := startPostgres(ctx, o, filepath.Join(d.dir, "server"), "--wal-segsize=1")
		if err == nil {
			defer pg.close() //nolint:contextcheck // also after the run was broken off
			s = &stepRun{name: s.name, dir: s.dir, seed: s.seed, postgres: pg}
			database, err = s.newDatabase(ctx)
		}
		if err != nil {
			t.addRound(s.title("disk full", 0, rounds), "PostgreSQL did not start", 0, []string{"stuck: " + err.Error()})
			return
		}
	}
	stepDatabase{stepRun: s, database: database, serverDatabase: database}.play(ctx, o, t, func(w *world) {
		for i := range rounds {
			w.playRound(ctx, t, s.title("disk full"+[]string{"", " and kill -9"}[i%2], i, rounds), func(c *roundClients) error {
				if err := c.waitForMore(ctx, w.acknowledgementsBeforeFault()); err != nil {
					return err
				}
				return errors.Join(w.fillDiskForAWhile(ctx, d, s.postgres, i%2 == 1), c.waitForMore(ctx, 100))
			})
		}
	})
}

// fillDiskForAWhile fills the disk until clients notice, then makes room, and starts PostgreSQL again if it has given
// up (pg is nil for SQLite). With kill it also kills the server while the disk is full, and starts another when there
// is room.
func (w *world) fillDiskForAWhile(ctx context.Context, d *disk, pg *postgres, kill bool) error {
	before := w.model.unknownOutcomes()
	err := d.fill()
	if err == nil {
		err = waitUntil(ctx, "the full disk is felt", func() bool { return w.model.unknownOutcomes() >= before+clientCount })
	}
	if err == nil {
		time.Sleep(200 * time.Millisecond) // and it lasts
	}
	if kill {
		w.killNode(0)
	}
	if err := errors.Join(err, d.makeRoom()); err != nil {
		return err
	}
	if pg != nil {
		if err := pg.startIfDown(ctx); err != nil {
			return err
		}
	}
	if kill {
		return w.startNode(ctx, w.database)
	}
	return nil
}
