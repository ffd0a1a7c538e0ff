// Package proofs holds the signed messages of wallets to what a website expects, and lets each nonce count once
// (contract 8.5). Its table is wallet_nonces. How signatures are made and what messages say stands in package wallets.
package proofs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/wallets"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds what the service needs.
type Config struct {
	DB      *store.DB
	Tenancy *tenancy.Service
	// PublicURL is the address of the service, whose host messages name where a website has no address of its own.
	PublicURL string
	Contracts ContractReader
	Logger    *slog.Logger
}

// ContractReader asks contract wallets whether signatures are theirs (EIP-1271).
type ContractReader interface {
	// IsValidSignature reports whether the contract at the address accepts the signature of a hash, on the network with
	// the chain id; 0: on any that is read. Where no such network is read, none is valid.
	IsValidSignature(ctx context.Context, chainID uint64, address string, hash, signature []byte) (bool, error)
}

// Service checks proofs.
type Service struct{ Config }

// New returns the service.
func New(c Config) *Service { return &Service{c} }

// Input is a proof with what its message must say.
type Input struct {
	wallets.Proof
	Origins  []string // of the key, from which pages may call
	Delegate string   // the wallet to which the signer delegates; "": the message must delegate to none
}

// The refusals of proofs (contract 8.5).
var (
	errMissing     = laurel.Errorf(laurel.Refused, "Signature is required")
	errInvalid     = laurel.Errorf(laurel.Refused, "Invalid signature")
	errExpired     = laurel.Errorf(laurel.Refused, "Signature has expired")
	errUnsupported = laurel.Errorf(laurel.Refused, "Wallet type is not supported")
)

// nonce is the nonce of a valid proof.
type nonce struct {
	hash string
	// expiresAt is when no message that was issued by now can be valid any more.
	expiresAt time.Time
}

// Check checks a proof for the scope's website and returns its nonce. Secret keys may leave it out: then Check returns
// nil. Errors: Refused "Signature is required", "Invalid signature", "Signature has expired" and "Wallet type is not
// supported"; Unanswered if a contract wallet could not be asked.
func (s *Service) Check(ctx context.Context, scope laurel.Scope, in Input) (identity.Nonce, error) {
	if in.Signature == "" && in.TON == nil {
		if scope.HasSecretKey() {
			return nil, nil
		}
		return nil, errMissing
	}
	statement, isSigned, ask, err := in.Verify()
	switch {
	case errors.Is(err, wallets.ErrUnsupported):
		return nil, errUnsupported
	case err != nil:
		return nil, err
	case !isSigned && ask == nil:
		return nil, errInvalid
	}
	domains, err := s.domains(ctx, scope, in.Origins)
	if err != nil {
		return nil, err
	}
	now := s.DB.Now()
	ok, isOld := statement.Check(wallets.Expected{
		Now: now, Domains: domains, Website: scope.WebsiteID.String(), Delegate: in.Delegate,
	})
	switch {
	case !ok:
		return nil, errInvalid
	case isOld:
		return nil, errExpired
	}
	if !isSigned { // asked last: strangers who send anything cause no calls
		if err := s.askContract(ctx, ask); err != nil {
			return nil, err
		}
	}
	hash := sha256.Sum256([]byte(statement.Nonce))
	return nonce{hex.EncodeToString(hash[:]), now.Add(wallets.MaxAge + 2*wallets.MaxAhead)}, nil
}

// contractTimeout is how long the nodes of networks may take for the answer of a contract wallet.
const contractTimeout = 8 * time.Second

// askContract asks a contract wallet whether a signature is its own. Errors: Refused "Invalid signature"; Unanswered if
// no node of the network gives an answer.
func (s *Service) askContract(ctx context.Context, q *wallets.Question) error {
	asking, cancel := context.WithTimeout(ctx, contractTimeout)
	defer cancel()
	isValid, err := s.Contracts.IsValidSignature(asking, q.ChainID, q.Address, q.Hash, q.Signature)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.Logger.WarnContext(ctx, "a contract wallet could not be asked for its signature", slog.Uint64("chainId", q.ChainID),
			slog.Any("error", err))
		message := outbound.ProviderInvalid
		var fault *outbound.Fault
		if errors.As(err, &fault) {
			message = outbound.ProviderMessage(err)
		} else if errors.Is(err, context.DeadlineExceeded) {
			message = outbound.ProviderSlow
		}
		return &laurel.Error{Code: laurel.Unanswered, Message: message, RetryAfter: retryAfterSeconds}
	case !isValid:
		return errInvalid
	}
	return nil
}

const retryAfterSeconds = 5

// domains returns the hosts that a message may name: those of the key's origins and of the website's home page or,
// without any, that of the service (contract 8.8).
func (s *Service) domains(ctx context.Context, scope laurel.Scope, origins []string) ([]string, error) {
	site, err := s.Tenancy.Website(ctx, scope, scope.WebsiteID)
	if err != nil {
		return nil, err
	}
	addresses := origins
	if site.HomeURL != nil {
		addresses = append(addresses[:len(addresses):len(addresses)], *site.HomeURL)
	}
	if len(addresses) == 0 {
		addresses = []string{s.PublicURL}
	}
	var hosts []string
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			hosts = append(hosts, strings.ToLower(u.Host))
		}
	}
	return hosts, nil
}

// Use uses up the nonce in the transaction that the proof allows. It must come before every lock. Errors: Refused
// "Invalid signature" if the nonce was used before.
func (n nonce) Use(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	isNew, err := insertNonce(ctx, tx, scope, n)
	if err == nil && !isNew {
		err = errInvalid
	}
	return err
}

// RemoveOld removes the nonces of messages that are too old anyway.
func (s *Service) RemoveOld(ctx context.Context) error {
	for {
		var n int64
		err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			n, err = deleteNonces(ctx, tx, tx.Now())
			return err
		})
		if err != nil || n < nonceChunk {
			return err
		}
	}
}
