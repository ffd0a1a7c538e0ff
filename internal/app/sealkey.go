package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// The key that signs blocks comes from the first of these: the file of --seal-key; the key that laurel secrets
// rotate-instance has stored, sealed, in the database; LAUREL_SECRET; a file next to the SQLite database, or for
// PostgreSQL in the user's state folder. A missing file is created, readable by its owner only (docs/operations.md).

// sealKey returns the key with which a server signs blocks. It creates the key file if there is no key yet.
func (a *App) sealKey(ctx context.Context) (seal.Key, error) {
	key, isStored, err := storedSealKey(ctx, a.db, a.vault, a.config)
	if isStored || err != nil {
		return key, err
	}
	key, err = loadSealKey(a.config)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	path := sealKeyFile(a.config)
	seed := make([]byte, seal.SeedSize)
	a.db.Random(seed)
	if err := writeSealKey(path, seal.NewKey(seed)); err != nil {
		return seal.Key{}, fmt.Errorf("no key to seal the ledger with: %w; set LAUREL_SECRET or --seal-key", err)
	}
	key, err = loadSealKey(a.config)
	if err == nil {
		a.log.Info(
			"made a key that seals the ledger; keep its public key elsewhere",
			slog.String("file", path),
			slog.String("publicKey", key.Public().String()),
		)
	}
	return key, err
}

// storedSealKey returns the key that signs blocks if one is stored in the database. isStored is false if none is, or if
// the configuration names a key file, which counts first.
func storedSealKey(
	ctx context.Context, db *store.DB, v *vault.Vault, c Config,
) (key seal.Key, isStored bool, err error) {
	if c.SealKey != "" {
		return seal.Key{}, false, nil
	}
	sealed, err := db.Setting(ctx, sealKeySetting)
	if err != nil || sealed == "" {
		return seal.Key{}, false, err
	}
	text, err := v.Open(sealed, sealKeyPlace)
	if err != nil {
		return seal.Key{}, false, fmt.Errorf("setting %s: %w", sealKeySetting, err)
	}
	key, err = seal.ParseKey(text)
	return key, true, err
}

// SealPublicKey returns the public key of a server with this configuration, and creates none. It reads the database if
// LAUREL_SECRET is set and no file is named: a key may have been stored there when the secret was another one.
func SealPublicKey(ctx context.Context, c Config) (seal.PublicKey, error) {
	if _, err := c.validate(); err != nil {
		return seal.PublicKey{}, err
	}
	if c.SealKey == "" && c.Secret != "" && !c.isDatabaseMissing() {
		key, isStored, err := readStoredSealKey(ctx, c)
		if isStored || err != nil {
			return key.Public(), err
		}
	}
	key, err := loadSealKey(c)
	if errors.Is(err, fs.ErrNotExist) {
		return seal.PublicKey{}, fmt.Errorf("%s is not there yet; laurel serve makes it", sealKeyFile(c))
	}
	return key.Public(), err
}

// isDatabaseMissing reports whether the database is a SQLite file that does not exist.
func (c Config) isDatabaseMissing() bool {
	path, ok := strings.CutPrefix(c.Database, "sqlite:")
	_, err := os.Stat(strings.TrimPrefix(path, "//"))
	return ok && errors.Is(err, fs.ErrNotExist)
}

// readStoredSealKey opens the database and returns the stored key that signs blocks, if there is one.
func readStoredSealKey(ctx context.Context, c Config) (key seal.Key, isStored bool, err error) {
	db, err := store.Open(ctx, store.Options{URL: c.Database, Logger: c.Logger, MustExist: true})
	if err != nil {
		return seal.Key{}, false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	states, err := db.MigrationStatus(ctx)
	if err != nil || len(states) == 0 || !states[0].Applied { // the table of settings does not exist yet
		return seal.Key{}, false, err
	}
	v, err := newVault(db, c.Secret, "")
	if err != nil {
		return seal.Key{}, false, err
	}
	return storedSealKey(ctx, db, v, c)
}

// loadSealKey returns the key that signs blocks from its file, or the one derived from LAUREL_SECRET if no file is
// named. Errors: fs.ErrNotExist.
func loadSealKey(c Config) (seal.Key, error) {
	if c.SealKey == "" && c.Secret != "" {
		return seal.DeriveKey([]byte(c.Secret))
	}
	path := sealKeyFile(c)
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return seal.Key{}, err
	}
	key, err := seal.ParseKey(text)
	if err != nil {
		return seal.Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// sealKeyFile returns the path of the file with the key that signs blocks.
func sealKeyFile(c Config) string {
	if c.SealKey != "" {
		return c.SealKey
	}
	return serverPath(c, "seal-key")
}

// serverPath returns the path of a file that belongs to a server: next to its SQLite database, or for PostgreSQL in the
// user's state folder.
func serverPath(c Config, name string) string {
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		return strings.TrimPrefix(path, "//") + "." + name
	}
	folder := os.Getenv("XDG_STATE_HOME")
	if home := os.Getenv("HOME"); folder == "" && home != "" {
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "laurel", name)
}

// writeSealKey writes the key file whole or not at all, and never over an existing one: of servers that start together
// one creates it and the others read it.
func writeSealKey(path string, key seal.Key) error {
	text, err := key.PEM()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".seal-key-") // readable by its owner only
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, writing := draft.Write(text)
	if err := errors.Join(writing, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// sealWorker returns the worker that seals with the key.
func (a *App) sealWorker(key seal.Key) func(context.Context) {
	return func(ctx context.Context) { a.Sealer.Run(ctx, key) }
}
