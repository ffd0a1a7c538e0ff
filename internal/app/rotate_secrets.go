package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// keyCheckEvery is how often a server checks that its keys are still valid.
const keyCheckEvery = 5 * time.Second

// lockForServing takes the process lock, which many servers share, and returns it with the key that signs blocks.
// Errors: errInUse while a command moves secrets to another key; missingKeyError if they were moved to a key that this
// server does not have.
func (a *App) lockForServing(ctx context.Context) (*processLock, seal.Key, error) {
	lock, err := lockProcess(ctx, a.db, lockShared)
	if err != nil {
		return nil, seal.Key{}, err
	}
	key, err := a.sealKey(ctx)
	if err == nil {
		err = a.checkKeys(ctx) // again: secrets may have been moved before this server had the lock
	}
	if err != nil {
		return nil, seal.Key{}, errors.Join(err, lock.release())
	}
	return lock, key, nil
}

// watchKeys returns a worker that checks the keys and the process lock every few seconds. Once the server may not go
// on, it sends the error to failed: the secrets were moved to a key that the server does not have, or another process
// took the lock.
func (a *App) watchKeys(lock *processLock, failed chan<- error) func(context.Context) {
	loop := worker.Loop{
		Every:      keyCheckEvery,
		DelayFirst: true,
		Log:        a.log,
		Fault:      "whether LAUREL_SECRET is still the right one is not known; it is looked up again",
	}
	return func(ctx context.Context) {
		loop.RunEach(ctx, func(ctx context.Context) error {
			err := lock.ensure(ctx)
			if err == nil {
				err = a.checkKeys(ctx)
			}
			if missing := missingKeyError(""); !errors.Is(err, errInUse) && !errors.As(err, &missing) {
				return err // nil, or a fault after which the next check decides
			}
			select {
			case failed <- err:
			default: // the server is stopping already
			}
			return nil
		})
	}
}

// checkKeys returns a missingKeyError if secrets are sealed under a key that this server does not have.
func (a *App) checkKeys(ctx context.Context) error {
	under, err := a.db.Setting(ctx, sealedUnderSetting)
	if err != nil {
		return err
	}
	return checkCanOpen(a.vault, strings.Fields(under), a.config.Secret != "")
}

// RotateInput says how RotateInstance moves sealed secrets.
type RotateInput struct {
	NewSecret  string // the LAUREL_SECRET from now on
	NewSealKey bool   // blocks are signed with the key derived from it; else with the same key as before
}

// Validate returns the faults of the input.
func (in RotateInput) Validate() error {
	var f laurel.Faults
	if len(in.NewSecret) < minSecret {
		f.Add("LAUREL_NEW_SECRET", "must have at least %d characters", minSecret)
	}
	return f.Err()
}

// RotateInstance moves every secret of the database from the configuration's Secret, or from the key stored in the
// database, to the key of a new secret. No server may run meanwhile. If it is interrupted, no server starts until it
// has been run to its end with the same secrets.
func RotateInstance(ctx context.Context, c Config, in RotateInput) (err error) {
	if _, err := c.validate(); err != nil {
		return err
	}
	if err := in.Validate(); err != nil {
		return err
	}
	options := store.Options{URL: c.Database, Now: c.Now, Logger: c.Logger, Exclusive: true, MustExist: true}
	db, err := store.Open(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.RequireMigrated(ctx); err != nil {
		return err
	}
	lock, err := lockProcess(ctx, db, lockExclusive)
	if errors.Is(err, errInUse) {
		return fmt.Errorf("%w: stop every server first", errInUse)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	return moveSecrets(ctx, db, c, in)
}

// moveSecrets moves every sealed text to the key of the new secret, and then records that secrets are sealed under that
// key only. It logs how many were moved.
func moveSecrets(ctx context.Context, db *store.DB, c Config, in RotateInput) error {
	stored, err := loadStoredKey(ctx, db, false) // without creating one
	if err != nil {
		return err
	}
	v, err := newVault(db, in.NewSecret, stored, c.Secret)
	if err != nil {
		return err
	}
	if err := recordSealingKey(ctx, db, v, c.Secret != ""); err != nil {
		return err
	}
	if err := sealPlainTexts(ctx, db, v, c.Logger); err != nil {
		return err
	}
	if err := storeSealKey(ctx, db, v, c, in); err != nil {
		return err
	}
	moved := 0
	move := func(text string, plain bool, place string) (string, error) {
		if plain {
			return v.Seal([]byte(text), place), nil
		}
		out, err := v.Reseal(text, place)
		if out != text {
			moved++
		}
		return out, err
	}
	err = db.WithSecureDelete(ctx, func() error {
		for _, texts := range sealedTexts() {
			if err := reseal(ctx, db, texts, move); err != nil {
				return err
			}
		}
		// The old key is removed last: without it texts that are still sealed under it would be lost.
		for _, s := range [][2]string{{sealedUnderSetting, v.KeyID()}, {storedKeySetting, ""}} {
			if _, err := db.ChangeSetting(ctx, s[0], func(string) (string, error) { return s[1], nil }); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.Logger.Info("secrets were moved to the new LAUREL_SECRET", slog.String("key", v.KeyID()), slog.Int("moved", moved))
	}
	return err
}

// sealKeySetting is the setting with the key that signs blocks, sealed, if it can no longer be derived from
// LAUREL_SECRET.
const (
	sealKeySetting = "seal_key"
	sealKeyPlace   = "setting:" + sealKeySetting
)

// storeSealKey makes sure that blocks are still signed with the same key under the new secret. If the key was derived
// from the old secret, it is stored in the database, sealed with the new one; a key that is stored already is sealed
// anew. With a key file, or if the secret does not change, nothing needs to be stored. With NewSealKey a stored key is
// deleted: blocks are then signed with the key derived from the new secret.
func storeSealKey(ctx context.Context, db *store.DB, v *vault.Vault, c Config, in RotateInput) error {
	_, err := db.ChangeSetting(ctx, sealKeySetting, func(old string) (string, error) {
		switch {
		case in.NewSealKey:
			return "", nil
		case old != "":
			return v.Reseal(old, sealKeyPlace)
		case c.SealKey != "" || c.Secret == in.NewSecret: // the key file stays, or the secret does
			return "", nil
		}
		key, err := loadSealKey(c)
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil // no server has signed with one here
		}
		if err != nil {
			return "", err
		}
		text, err := key.PEM()
		return v.Seal(text, sealKeyPlace), err
	})
	return err
}
