package platforms

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// issuerLifetime is how long what a provider announces of itself is used. Its keys are read anew whenever a token is
// signed with an unknown one.
const issuerLifetime = time.Hour

// issuer is a provider as its discovery document describes it.
type issuer struct {
	provider   *oidc.Provider
	keys       *oidc.RemoteKeySet
	algorithms []string // by which it signs id_tokens; none: RS256
	sendsIss   bool     // its redirects carry the parameter iss (RFC 9207)
	readAt     time.Time
}

// signatureAlgorithms are those by which id_tokens may be signed: with keys of which providers publish one half.
var signatureAlgorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA,
}

// keySet holds the keys of a provider for one token. It remembers why the signature was not verified: the errors of the
// library do not tell keys that could not be read from a wrong signature.
type keySet struct {
	oidc.KeySet
	err error
}

// VerifySignature returns the payload of a token.
func (k *keySet) VerifySignature(ctx context.Context, token string) (payload []byte, err error) {
	payload, err = k.KeySet.VerifySignature(ctx, token)
	k.err = err
	return payload, err
}

// discover returns the provider of a driver of kind oidc (OpenID Connect Discovery 1.0). It reads its description once
// an hour.
func (c *Connector) discover(ctx context.Context, d *Driver) (issuer, error) {
	c.mu.Lock()
	known, ok := c.issuers[d.Issuer]
	c.mu.Unlock()
	if ok && c.now().Sub(known.readAt).Abs() < issuerLifetime {
		return known, nil
	}
	client := c.outbound.HTTPClient(tenantOf(d))
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, client), d.Issuer)
	if err != nil {
		return issuer{}, publicError("discovery of "+d.Issuer, err)
	}
	var announced struct {
		SendsIss   bool     `json:"authorization_response_iss_parameter_supported"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
		Keys       string   `json:"jwks_uri"`
	}
	if err := provider.Claims(&announced); err != nil {
		return issuer{}, publicError("discovery of "+d.Issuer, err)
	}
	known = issuer{
		provider: provider, sendsIss: announced.SendsIss, readAt: c.now(),
		keys: oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), client), announced.Keys),
		algorithms: slices.DeleteFunc(announced.Algorithms, func(name string) bool {
			return !slices.Contains(signatureAlgorithms, name)
		}),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.issuers[d.Issuer] = known
	return known, nil
}

// oidcConfig returns the driver's configuration with the addresses that the provider announces.
func (d *Driver) oidcConfig(i issuer, f Flow) *oauth2.Config {
	config := d.oauth2(i.provider.Endpoint(), f)
	if !slices.Contains(config.Scopes, oidc.ScopeOpenID) {
		config.Scopes = append([]string{oidc.ScopeOpenID}, config.Scopes...)
	}
	return config
}

// oidcURL returns the authorization address of OpenID Connect Core 1.0, 3.1.2.1, with PKCE and a nonce.
func (c *Connector) oidcURL(ctx context.Context, d *Driver, f Flow) (string, error) {
	i, err := c.discover(ctx, d)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(f.Verifier), oidc.Nonce(f.Nonce)}
	if f.AsksLogin {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	return d.oidcConfig(i, f).AuthCodeURL(f.State, options...), nil
}

// oidcIdentity exchanges the code, checks the id_token, and reads the account from its claims and those of userinfo.
func (c *Connector) oidcIdentity(ctx context.Context, d *Driver, f Flow, query url.Values) (Identity, error) {
	i, err := c.discover(ctx, d)
	if err != nil {
		return Identity{}, err
	}
	if (i.sendsIss || query.Has("iss")) && query.Get("iss") != d.Issuer {
		return Identity{}, errors.New("the answer is of another issuer")
	}
	token, err := c.exchange(ctx, d, d.oidcConfig(i, f), f, query)
	if err != nil {
		return Identity{}, err
	}
	claims, err := c.verifiedClaims(ctx, d, i, f, token)
	if err != nil {
		return Identity{}, err
	}
	out := Identity{AccessToken: token.AccessToken}
	out.Email, out.IsEmailVerified = emailOf(claims)
	if address := cmp.Or(d.UserInfoURL, i.provider.UserInfoEndpoint()); address != "" {
		answer, err := c.getJSON(ctx, d, address, token.AccessToken)
		if err != nil {
			return Identity{}, fmt.Errorf("userinfo: %w", err)
		}
		var more map[string]json.RawMessage
		if json.Unmarshal(answer, &more) != nil || textOf(more["sub"]) != textOf(claims["sub"]) { // OIDC Core 1.0, 5.3.2
			return Identity{}, errors.New("userinfo is of another subject than the id_token")
		}
		if email, isVerified := emailOf(more); email != "" && (out.Email == "" || !out.IsEmailVerified) {
			out.Email, out.IsEmailVerified = email, isVerified // both of one document
		}
		maps.Copy(claims, more)
	}
	all, err := json.Marshal(claims)
	if err != nil {
		return Identity{}, errors.New("the claims cannot be read")
	}
	if out.Account = d.accountOf(all); out.Account.Name == "" {
		out.Account.Name = textOf(claims["name"])
	}
	return out, nil
}

// emailOf returns the e-mail address in claims, and whether the same claims say that it is verified (OpenID Connect
// Core 1.0, 5.1). Some providers write that as a text.
func emailOf(claims map[string]json.RawMessage) (email string, isVerified bool) {
	switch string(claims["email_verified"]) {
	case "true", `"true"`:
		isVerified = true
	}
	return textOf(claims["email"]), isVerified
}

// verifiedClaims returns the claims of the id_token after the checks of OpenID Connect Core 1.0, 3.1.3.7: signature,
// issuer, audience, authorized party, expiry, nonce and time of the login.
func (c *Connector) verifiedClaims(
	ctx context.Context, d *Driver, i issuer, f Flow, token *oauth2.Token,
) (map[string]json.RawMessage, error) {
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return nil, errors.New("the token endpoint returned no id_token")
	}
	keys := &keySet{KeySet: i.keys}
	verified, err := oidc.NewVerifier(d.Issuer, keys, &oidc.Config{
		ClientID: d.ClientID, Now: c.now, SupportedSigningAlgs: i.algorithms,
	}).Verify(ctx, raw)
	if err != nil {
		return nil, publicError("the id_token", cmp.Or(keys.err, err))
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(f.Nonce)) != 1 || f.Nonce == "" {
		return nil, errors.New("the id_token has another nonce")
	}
	if verified.AccessTokenHash != "" {
		if err := verified.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, errors.New("the id_token is of another access token")
		}
	}
	var claims map[string]json.RawMessage
	if err := verified.Claims(&claims); err != nil || claims == nil {
		return nil, errors.New("the claims of the id_token cannot be read")
	}
	if client := textOf(claims["azp"]); client != d.ClientID && (client != "" || len(verified.Audience) > 1) {
		return nil, errors.New("the id_token was issued to another client")
	}
	if !f.LoginSince.IsZero() {
		var seconds float64 // 0 without the claim
		if json.Unmarshal(claims["auth_time"], &seconds) != nil || seconds < float64(f.LoginSince.Unix()) {
			return nil, ErrOldLogin
		}
	}
	return claims, nil
}
