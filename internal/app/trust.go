package app

import (
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// Trust holds the public keys and block hashes that the operator trusts in a verification.
type Trust = audit.Trust

// ParseTrust parses the public keys of --public-key and the block hashes of --head. The error names the flags.
func ParseTrust(keys, heads []string) (Trust, error) {
	var f laurel.Faults
	var trust Trust
	for _, text := range keys {
		var key seal.PublicKey
		if err := key.UnmarshalText([]byte(text)); err != nil {
			f.Add("--public-key", "%s", err)
		}
		trust.Keys = append(trust.Keys, key)
	}
	for _, text := range heads {
		var head seal.Hash
		if err := head.UnmarshalText([]byte(text)); err != nil {
			f.Add("--head", "%s", err)
		}
		trust.Heads = append(trust.Heads, head)
	}
	return trust, f.Err()
}

// CheckProof checks a proof of an entry, as JSON, against the trusted keys, and returns what it proves as a sentence.
func CheckProof(text []byte, trust Trust) (string, error) {
	proof, err := seal.ParseProof(text)
	if err != nil {
		return "", err
	}
	if err := proof.Check(trust.Keys...); err != nil {
		return "", err
	}
	b := proof.Block
	return fmt.Sprintf(
		"the proof holds: entry %s is in block %d of organization %s, sealed %s, signed with %s",
		proof.Row.Entry[0].Value,
		b.Number,
		b.OrganizationID,
		store.Time(b.CreatedAt).Format("2006-01-02T15:04:05.000000Z"),
		b.PublicKey,
	), nil
}
