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

	"laurel/internal/seal"
)

// The key that signs blocks, in this order: the file that was named; what LAUREL_SECRET gives; a file beside the SQLite database, or for
// PostgreSQL in the user's state folder. A file that is not there is made, for its owner alone (docs/operations.md).

// sealKey answers the key of a server.
func (a *App) sealKey() (seal.Key, error) {
	key, err := loadSealKey(a.config)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	path := sealKeyFile(a.config)
	seed := make([]byte, seal.SeedSize)
	a.db.Random(seed)
	if err := makeSealKey(path, seal.NewKey(seed)); err != nil {
		return seal.Key{}, fmt.Errorf("no key to seal the ledger with: %w; set LAUREL_SECRET or --seal-key", err)
	}
	key, err = loadSealKey(a.config)
	if err == nil {
		a.log.Info("made a key that seals the ledger; keep its public key elsewhere", slog.String("file", path), slog.String("publicKey", key.Public().String()))
	}
	return key, err
}

// SealPublicKey answers the public key that a server with this configuration signs with, without opening its database. It makes none.
func SealPublicKey(c Config) (seal.PublicKey, error) {
	if _, err := c.validate(); err != nil {
		return seal.PublicKey{}, err
	}
	key, err := loadSealKey(c)
	if errors.Is(err, fs.ErrNotExist) {
		return seal.PublicKey{}, fmt.Errorf("%s is not there yet; laurel serve makes it", sealKeyFile(c))
	}
	return key.Public(), err
}

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

func sealKeyFile(c Config) string {
	if c.SealKey != "" {
		return c.SealKey
	}
	return beside(c, "seal-key")
}

// beside answers the path of something that belongs to a server: beside its SQLite database, or for PostgreSQL in the user's state folder.
func beside(c Config, name string) string {
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		return strings.TrimPrefix(path, "//") + "." + name
	}
	folder := os.Getenv("XDG_STATE_HOME")
	if home := os.Getenv("HOME"); folder == "" && home != "" {
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "laurel", name)
}

// makeSealKey writes the key whole or not at all: of servers that start together one makes it and the others read it.
func makeSealKey(path string, key seal.Key) error {
	text, err := key.PEM()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".seal-key-") // readable for its owner alone
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

// seal is the worker that seals with the key.
func (a *App) seal(key seal.Key) func(context.Context) {
	return func(ctx context.Context) { a.Sealer.Run(ctx, key) }
}
