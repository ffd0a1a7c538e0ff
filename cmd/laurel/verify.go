package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

// proofLimit bounds the file of a proof: an entry's metadata and a path of hashes are far smaller.
const proofLimit = 16 << 20

type verifyCommand struct {
	PublicKey []string  `help:"Public key that must have signed the blocks, as printed by laurel seal-key. Can be repeated."`
	Head      []string  `help:"Hash of a block from the log that must be in the chain. Can be repeated."`
	Proof     laurel.ID `help:"Instead of verifying, print a proof that this entry has not changed since it was sealed." placeholder:"ENTRY" xor:"what"`
	Check     string    `help:"Instead of verifying, check a proof. Needs no database. Use - to read standard input." placeholder:"FILE" xor:"what"`
}

// Run verifies the ledger: it prints what differs, the last blocks, and how much was checked. It fails if anything
// differs. With --proof or --check it prints or checks the proof of one entry instead.
func (c verifyCommand) Run(e environment) error {
	trust, err := app.ParseTrust(c.PublicKey, c.Head)
	switch {
	case err != nil:
		return err
	case c.Check != "":
		return c.checkProof(trust)
	case !c.Proof.IsZero():
		return e.withApp(func(a *app.App) error {
			proof, err := a.Audit.Proof(e.ctx, c.Proof)
			if err != nil {
				return err
			}
			return printJSON(proof)
		})
	}
	return e.withApp(func(a *app.App) error {
		report, err := a.Audit.Verify(e.ctx, trust)
		if err != nil {
			return err
		}
		for _, d := range report.Discrepancies {
			fmt.Println(d)
		}
		if first := report.FirstBadEntry(); first != "" {
			fmt.Printf("first bad entry: %s\n", first)
		}
		for _, head := range report.Seal.Heads {
			fmt.Printf("organization %s: last block %d, hash %s\n", head.OrganizationID, head.Number, head.Hash)
		}
		if len(trust.Keys) == 0 {
			for _, key := range report.Seal.Keys {
				fmt.Printf("signed with %s, a key from the database; use --public-key for an independent check\n", key)
			}
		}
		fmt.Printf(
			"%d entries sealed in %d blocks, %d waiting\n",
			report.Seal.Sealed,
			report.Seal.Blocks,
			report.Seal.Unsealed,
		)
		fmt.Printf(
			"%d accounts and %d entries checked, %d discrepancies\n",
			report.Accounts,
			report.Entries,
			len(report.Discrepancies),
		)
		if len(report.Discrepancies) > 0 {
			return errors.New("the ledger has discrepancies: see above")
		}
		return nil
	})
}

// checkProof checks the proof of --check against the trusted keys, and prints what it proves.
func (c verifyCommand) checkProof(trust app.Trust) error {
	if len(trust.Keys) == 0 {
		return laurel.Errorf(
			laurel.Invalid,
			"--check needs --public-key: without a key from another source, a proof proves nothing",
		)
	}
	text, err := c.readProof()
	if err != nil {
		return err
	}
	summary, err := app.CheckProof(text, trust)
	if err != nil {
		return fmt.Errorf("the proof is not valid: %w", err)
	}
	fmt.Println(summary)
	return nil
}

// readProof reads the file of --check, or the standard input for -. It fails if that is larger than a proof.
func (c verifyCommand) readProof() ([]byte, error) {
	file := os.Stdin
	if c.Check != "-" {
		opened, err := os.Open(c.Check)
		if err != nil {
			return nil, err
		}
		defer func() { _ = opened.Close() }()
		file = opened
	}
	text, err := io.ReadAll(io.LimitReader(file, proofLimit+1))
	if err == nil && len(text) > proofLimit {
		err = fmt.Errorf("%s is too large for a proof", c.Check)
	}
	return text, err
}

type sealKeyCommand struct {
	SealKey string `help:"File with the key. Default: the key that laurel serve uses." env:"LAUREL_SEAL_KEY" type:"path"`
}

// Run prints the public key that signs blocks, to be stored elsewhere.
func (c sealKeyCommand) Run(e environment) error {
	key, err := app.SealPublicKey(
		e.ctx,
		app.Config{Database: e.database, Secret: e.secret, SealKey: c.SealKey, Logger: e.log},
	)
	if err != nil {
		return err
	}
	fmt.Println(key)
	return nil
}
