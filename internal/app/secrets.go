package app

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/webhooks"
)

// The settings about how secrets are sealed.
const (
	storedKeySetting   = "instance_secret" // the key that seals if LAUREL_SECRET is not set
	sealedUnderSetting = "sealed_under"    // the ids of the keys that secrets may be sealed under, with spaces between
	noPlainTextSetting = "secrets_sealed"  // "done" once no secret is stored in plain text any more
	keyBytes           = 32
	settingDone        = "done"
)

// sealedTexts lists all sealed columns of the database, except the key that signs blocks. Those of identity come first:
// they were never stored in plain text.
func sealedTexts() []vault.SealedColumns {
	own := []vault.SealedColumns{identity.Sealed, ledger.Sealed, lists.SealedColumns, admins.Sealed, functions.Sealed,
		webhooks.Sealed, connect.Sealed}
	return append(own, catalog.SealedColumns...)
}

// missingKeyError says that secrets are sealed under a key that the configuration does not have.
type missingKeyError string

func (e missingKeyError) Error() string { return string(e) }

// openVault opens the vault with the keys of this configuration, and seals secrets that an earlier version stored in
// plain text. Errors: missingKeyError.
func (a *App) openVault(ctx context.Context) error {
	stored, err := loadStoredKey(ctx, a.db, a.config.Secret == "")
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

// loadStoredKey returns the key that is stored in the database, in base64; "" without one. If it is needed, because no
// secret is set, it is created. Errors: missingKeyError if it is needed and secrets are sealed under another key
// already.
func loadStoredKey(ctx context.Context, db *store.DB, needed bool) (string, error) {
	stored, err := db.Setting(ctx, storedKeySetting)
	if err != nil || stored != "" || !needed {
		return stored, err
	}
	under, err := db.Setting(ctx, sealedUnderSetting)
	if err != nil {
		return "", err
	}
	if under != "" {
		return "", errSecretUnset(strings.Fields(under))
	}
	return db.ChangeSetting(ctx, storedKeySetting, func(old string) (string, error) {
		if old != "" {
			return old, nil
		}
		key := make([]byte, keyBytes)
		db.Random(key)
		return base64.StdEncoding.EncodeToString(key), nil
	})
}

// newVault returns a vault that opens with all given keys: secret, the older secrets, and the stored key in base64. It
// seals with the first of them that is not "".
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
			return nil, fmt.Errorf("setting %s: %w", storedKeySetting, err)
		}
		keys = append(keys, key)
	}
	return vault.New(db.Random, keys...)
}

// recordSealingKey records in the database that the vault's key seals from now on. Errors: missingKeyError if secrets
// are sealed under a key that the vault does not have.
func recordSealingKey(ctx context.Context, db *store.DB, v *vault.Vault, isSecretSet bool) error {
	found, err := memberKeyIDs(ctx, db)
	if err != nil {
		return err
	}
	_, err = db.ChangeSetting(ctx, sealedUnderSetting, func(old string) (string, error) {
		ids := strings.Fields(old)
		if len(ids) == 0 { // a new database, or one of an earlier version
			ids = found
		}
		if err := checkCanOpen(v, ids, isSecretSet); err != nil {
			return "", err
		}
		if !slices.Contains(ids, v.KeyID()) {
			ids = append(ids, v.KeyID())
		}
		return strings.Join(ids, " "), nil
	})
	return err
}

// memberKeyIDs returns the ids of the keys under which members' secrets are sealed, if the database has not recorded
// the ids of any keys; else none. It reads those secrets and changes none.
func memberKeyIDs(ctx context.Context, db *store.DB) (ids []string, err error) {
	if under, err := db.Setting(ctx, sealedUnderSetting); err != nil || under != "" {
		return nil, err
	}
	err = reseal(ctx, db, identity.Sealed, func(text string, _ bool, _ string) (string, error) {
		if id := vault.KeyIDOf(text); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		return text, nil
	})
	return ids, err
}

// checkCanOpen returns a missingKeyError unless the vault has the keys of all ids. isSecretSet decides how it is
// worded.
func checkCanOpen(v *vault.Vault, ids []string, isSecretSet bool) error {
	missing := slices.DeleteFunc(slices.Clone(ids), v.HasKey)
	switch {
	case len(missing) == 0:
		return nil
	case !isSecretSet:
		return errSecretUnset(missing)
	case slices.Contains(ids, v.KeyID()):
		return missingKeyError("the secrets in the database are on their way from one LAUREL_SECRET to another (key ids " +
			strings.Join(ids, ", ") + "; that of the one that is set is " + v.KeyID() +
			"): run laurel secrets rotate-instance to its end, with both secrets as before")
	}
	return missingKeyError("the secrets in the database are sealed under another LAUREL_SECRET (key id " +
		strings.Join(missing, ", ") + "; that of the one that is set is " + v.KeyID() +
		"): set that one; laurel secrets rotate-instance moves them to a new one")
}

// errSecretUnset returns the error for secrets that are sealed under keys of a LAUREL_SECRET that is not set.
func errSecretUnset(ids []string) error {
	return missingKeyError("the secrets in the database are sealed under a LAUREL_SECRET (key id " + strings.Join(ids, ", ") +
		") and none is set: set that one")
}

// sealPlainTexts seals the secrets that an earlier version stored in plain text, once for each database, and deletes
// stored responses that contain one. After an interruption it goes on at the next start.
func sealPlainTexts(ctx context.Context, db *store.DB, v *vault.Vault, log *slog.Logger) error {
	if done, err := db.Setting(ctx, noPlainTextSetting); err != nil || done != "" {
		return err
	}
	found := 0
	err := db.WithSecureDelete(ctx, func() error {
		for _, texts := range sealedTexts()[1:] { // members' secrets, the first, were always sealed
			err := reseal(ctx, db, texts, func(text string, plain bool, place string) (string, error) {
				if !plain { // nothing says that it is plain: only opening it shows whether it is sealed
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
		log.Info("sealed secrets that were stored in plain text", slog.Int("texts", found))
	}
	_, err = db.ChangeSetting(ctx, noPlainTextSetting, func(string) (string, error) { return settingDone, nil })
	return err
}
