package app

import (
	"cmp"
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/backup"
	"laurel.example/laurel/internal/store"
)

// BackupInput says where Backup writes to.
type BackupInput struct {
	To           string
	Force        bool // replace a file that is there
	WithoutFiles bool // leave the uploaded files out
}

// BackupResult describes a backup.
type BackupResult struct {
	backup.Manifest
	HoldsKey bool // the key that opens the database's secrets is in the database, so that the backup has it, too
}

// The modes of files in a backup.
const (
	FilesIncluded = backup.FilesIncluded
	FilesInBucket = backup.FilesInBucket
	FilesLeftOut  = backup.FilesLeftOut
)

// Backup writes a backup of a SQLite database and its uploaded files. A server may run meanwhile. The key that signs
// blocks, LAUREL_SECRET and the operator's files are not in it. Errors: Invalid for PostgreSQL.
func Backup(ctx context.Context, c Config, in BackupInput) (out BackupResult, err error) {
	if _, err := sqliteOnly(c, "backup", "pg_dump --format=custom"); err != nil {
		return out, err
	}
	db, err := store.Open(ctx, store.Options{URL: c.Database, Now: c.Now, Logger: c.Logger, MustExist: true})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	from := backup.Source{
		DB: db, Folder: cmp.Or(c.DataDir, serverPath(c, "files")), Files: backup.FilesIncluded, Version: Version(),
		Logger: c.Logger,
	}
	switch {
	case c.FilesBucket != "":
		from.Files = backup.FilesInBucket
	case in.WithoutFiles:
		from.Files = backup.FilesLeftOut
	}
	if out.Manifest, err = backup.Write(ctx, from, in.To, in.Force); err != nil {
		return out, err
	}
	key, err := db.Setting(ctx, storedKeySetting)
	out.HoldsKey = key != ""
	return out, err
}

// RestoreResult describes what Restore has done.
type RestoreResult = backup.Restored

// Restore restores a backup to the SQLite database and the data folder of a configuration. With force it replaces what
// is there, which is kept under other names. Errors: Invalid for PostgreSQL; those of backup.Restore.
func Restore(ctx context.Context, c Config, file string, force bool) (RestoreResult, error) {
	path, err := sqliteOnly(c, "restore", "pg_restore")
	if err != nil {
		return RestoreResult{}, err
	}
	return backup.Restore(ctx, file, backup.Target{
		Database: path, Folder: cmp.Or(c.DataDir, serverPath(c, "files")), Force: force, Logger: c.Logger,
	})
}

// sqliteOnly returns the path of the SQLite database. Errors: Invalid, with the command to use, for PostgreSQL.
func sqliteOnly(c Config, command, instead string) (string, error) {
	if _, err := c.validate(); err != nil {
		return "", err
	}
	path, isSQLite := store.SQLitePath(c.Database)
	if !isSQLite {
		return "", laurel.Errorf(laurel.Invalid,
			"laurel %s is for SQLite; for PostgreSQL use %s, and copy the data folder (docs/runbook.md)", command, instead)
	}
	return path, nil
}
