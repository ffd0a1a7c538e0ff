package claims_test

import (
	"context"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"laurel.example/laurel/internal/commerce/merkle"
	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

const path = "/api/token_claims"

const (
	alice = apptest.Alice
	bob   = "0x0000000000000000000000000000000000000b0b"
	carol = "0x00000000000000000000000000000000000ca401"
)

var hash = "0x" + strings.Repeat("ab", 32)

// token registers the contract of one.
func token(s *apptest.Server) string {
	s.T.Helper()
	return s.Post("/api/contracts", object{
		"name": "Shop token", "address": "0x00000000000000000000000000000000000c0113", "chainId": 8453, "type": "erc20",
	}).Created()["id"].(string)
}

// claimOf makes a token claim that everybody sees, with a list of such lines.
func claimOf(s *apptest.Server, lines string, changes object) string {
	s.T.Helper()
	body := object{"name": "Season one", "isDraft": false, "csvUrl": s.Upload("list.csv", lines)}
	for name, value := range changes {
		body[name] = value
	}
	if body["contractId"] == nil {
		body["contractId"] = token(s)
	}
	id := s.Post(path, body).OK()["id"].(string)
	readAll(s)
	return id
}

// readAll reads every list that is due.
func readAll(s *apptest.Server) {
	s.T.Helper()
	for range 100 {
		n, err := s.App.Claims.RunDue(context.Background())
		if err != nil {
			s.T.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	s.T.Fatal("lists never end")
}

func job(s *apptest.Server, id string) (status, message string) {
	s.T.Helper()
	dataJob := s.Get(path + "/" + id).OK()["dataJob"].(object)
	message, _ = dataJob["message"].(string)
	return dataJob["status"].(string), message
}

func report(s *apptest.Server, id, wallet string) apptest.Response {
	s.T.Helper()
	return s.Post(path+"/"+id+"/claim", object{"walletAddress": wallet, "txHash": hash})
}

// proves reports whether the proof of a wallet leads to the root of the claim, for an amount in smallest units.
func proves(t *testing.T, s *apptest.Server, id, wallet, units string) {
	t.Helper()
	root := parse(t, s.Get(path + "/" + id).OK()["merkleRoot"].(string))
	address, _ := merkle.ParseAddress(wallet)
	amount, _ := new(big.Int).SetString(units, 10)
	var proof []merkle.Hash
	for _, text := range s.Get(path + "/" + id + "/proof?walletAddress=" + wallet).OK()["proof"].([]any) {
		proof = append(proof, parse(t, text.(string)))
	}
	if !merkle.Verify(root, merkle.Leaf(address, amount), proof) {
		t.Errorf("the proof of %s does not lead to the root", wallet)
	}
}

func parse(t *testing.T, text string) (h merkle.Hash) {
	t.Helper()
	if n, err := hex.Decode(h[:], []byte(strings.TrimPrefix(text, "0x"))); err != nil || n != merkle.Size {
		t.Fatal(text)
	}
	return h
}
