package app

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"laurel/internal/admins"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/vault"
	"laurel/internal/webhooks"
)

// What the database knows of how its secrets are sealed.
const (
	keySetting    = "instance_secret" // the key that seals where LAUREL_SECRET is not set
	underSetting  = "sealed_under"    // the ids of the keys that secrets may be sealed under, with spaces between
	sealedSetting = "secrets_sealed"  // done: nothing stands in the clear any more
	keyBytes      = 32
	settingDone   = "done"
)

// sealedTexts are all texts that the database keeps sealed, beside the key that signs blocks. Members' secrets were
// never in the clear.
func sealedTexts() []vault.Texts {
	own := []vault.Texts{identity.Sealed, ledger.Sealed, lists.SealedColumns, admins.Sealed, functions.Sealed,
		webhooks.Sealed}
	return append(own, catalog.SealedColumns...)
}

// sealedError tells that a key is missing which secrets are sealed under.
type sealedError string

func (e sealedError) Error() string { return string(e) }

// openVault opens the vault of this configuration, unless secrets are sealed under a key that it has not. What lies in
// the clear of before is sealed.
func (a *App) openVault(ctx context.Context) error {
	stored, err := storedKey(ctx, a.db, a.config.Secret == "")
	if err != nil {
		return err
	}
	if a.vault, err = newVault(a.db, a.config.Secret, stored); err != nil {
		return err
	}
	if err := recordSealingKey(ctx, a.db, a.vault, a.config.Secret != ""); err != nil {
		return err
	}
	return sealPlainTexts(ctx, a.db, a.vault, a.log)
}

// storedKey returns the key that lies in the database, "" where there is none. Where one is needed it is made, unless
// secrets are sealed under another already.
func storedKey(ctx context.Context, db *store.DB, needed bool) (string, error) {
	stored, err := db.Setting(ctx, keySetting)
	if err != nil || stored != "" || !needed {
		return stored, err
	}
	under, err := db.Setting(ctx, underSetting)
	if err != nil {
		return "", err
	}
	if under != "" {
		return "", errUnset(strings.Fields(under))
	}
	return db.ChangeSetting(ctx, keySetting, func(old string) (string, error) {
		if old != "" {
			return old, nil
		}
		key := make([]byte, keyBytes)
		db.Random(key)
		return base64.StdEncoding.EncodeToString(key), nil
	})
}

// newVault seals with the first of the secrets that is set, else with the key that lies in the database, and opens
// with all of them.
func newVault(db *store.DB, secret, stored string, older ...string) (*vault.Vault, error) {
	var keys [][]byte
	for _, text := range append([]string{secret}, older...) {
		if text != "" {
			keys = append(keys, []byte(text))
		}
	}
	if stored != "" {
		key, err := base64.StdEncoding.DecodeString(stored)
		if err != nil {
			return nil, fmt.Errorf("setting %s: %w", keySetting, err)
		}
		keys = append(keys, key)
	}
	return vault.New(db.Random, keys...)
}

// recordSealingKey notes that the vault's key seals from now on. It refuses where secrets are sealed under a key that the vault
// has not.
func recordSealingKey(ctx context.Context, db *store.DB, v *vault.Vault, set bool) error {
	found, err := memberKeyIDs(ctx, db)
	if err != nil {
		return err
	}
	_, err = db.ChangeSetting(ctx, underSetting, func(old string) (string, error) {
		ids := strings.Fields(old)
		if len(ids) == 0 { // a database of before, or a new one
			ids = found
		}
		if err := checkCanOpen(v, ids, set); err != nil {
			return "", err
		}
		if !slices.Contains(ids, v.KeyID()) {
			ids = append(ids, v.KeyID())
		}
		return strings.Join(ids, " "), nil
	})
	return err
}

// memberKeyIDs returns the ids of the keys that members' secrets are sealed under, of a database that does not know
// it otherwise.
func memberKeyIDs(ctx context.Context, db *store.DB) (ids []string, err error) {
	if under, err := db.Setting(ctx, underSetting); err != nil || under != "" {
		return nil, err
	}
	err = reseal(ctx, db, identity.Sealed, func(text string, _ bool, _ string) (string, error) {
		if id := vault.KeyOf(text); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		return text, nil
	})
	return ids, err
}

// checkCanOpen errs where the vault lacks one of the keys.
func checkCanOpen(v *vault.Vault, ids []string, set bool) error {
	missing := slices.DeleteFunc(slices.Clone(ids), v.Knows)
	switch {
	case len(missing) == 0:
		return nil
	case !set:
		return errUnset(missing)
	case slices.Contains(ids, v.KeyID()):
		return sealedError("the secrets in the database are on their way from one LAUREL_SECRET to another (key ids " +
			strings.Join(ids, ", ") + "; that of the one that is set is " + v.KeyID() +
			"): run laurel secrets rotate-instance to its end, with both secrets as before")
	}
	return sealedError("the secrets in the database are sealed under another LAUREL_SECRET (key id " +
		strings.Join(missing, ", ") + "; that of the one that is set is " + v.KeyID() +
		"): set that one; laurel secrets rotate-instance moves them to a new one")
}

func errUnset(ids []string) error {
	return sealedError("the secrets in the database are sealed under a LAUREL_SECRET (key id " + strings.Join(ids, ", ") +
		") and none is set: set that one")
}

// sealPlainTexts seals, once in the life of a database, what an earlier version has stored in the clear. What is
// interrupted goes on at the next start.
func sealPlainTexts(ctx context.Context, db *store.DB, v *vault.Vault, log *slog.Logger) error {
	if was, err := db.Setting(ctx, sealedSetting); err != nil || was != "" {
		return err
	}
	found := 0
	err := db.WithSecureDelete(ctx, func() error {
		for _, texts := range sealedTexts()[1:] {
			err := reseal(ctx, db, texts, func(text string, plain bool, place string) (string, error) {
				if !plain { // a column, of which only opening tells what it holds
					if _, err := v.Open(text, place); err == nil {
						return text, nil
					}
				}
				found++
				return v.Seal([]byte(text), place), nil
			})
			if err != nil {
				return err
			}
		}
		return db.ClearResponses(ctx, `"apiAuthValue":"`, `"`+schema.RewardsKey+`":"`)
	})
	if err != nil {
		return err
	}
	if found > 0 {
		log.Info("sealed secrets that lay in the clear", slog.Int("texts", found))
	}
	_, err = db.ChangeSetting(ctx, sealedSetting, func(string) (string, error) { return settingDone, nil })
	return err
}
