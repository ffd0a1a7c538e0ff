package app_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// badNames are identifiers that would be other members than those that look the same, or that no other operation could
// name.
var badNames = []string{
	" " + apptest.Bob, apptest.Bob + " ", apptest.Bob + "\n", "\t" + apptest.Bob, "\u200b" + apptest.Bob, apptest.Bob + "\u00a0",
	apptest.Bob + "\ufeff", "\u202e" + apptest.Bob, apptest.Bob + "\u00ad", "cust_1\u3164", "cust\t1", "cust\r1", "cust\u20281",
	"cust;1", "cust,1", strings.Repeat("x", 300),
}

// goodNames are unusual, and allowed.
var goodNames = []string{"cust_1001", "zoe@example.com", "Zoë Ñ", "客户 7", "a-b:c/d"}

// naming is a place of an operation that names a member, or an address.
type naming struct {
	in, path string
	evm      bool // by a pattern: only addresses of EVM networks
	many     bool // several names, with commas between them
}

// namings lists the places of an operation by the document, and fails on those that say nothing about what they accept.
func namings(t *testing.T, document, described object) (out []naming) {
	t.Helper()
	var walk func(schema object, path string)
	walk = func(schema object, path string) {
		if ref, ok := schema["$ref"].(string); ok {
			schema = document["components"].(object)["schemas"].(object)[ref[strings.LastIndexByte(ref, '/')+1:]].(object)
		}
		for _, option := range items(schema["oneOf"]) {
			walk(option.(object), path)
		}
		properties, _ := schema["properties"].(object)
		for name, property := range properties {
			walk(property.(object), strings.TrimPrefix(path+"."+name, "."))
		}
		if of, ok := schema["items"].(object); ok {
			walk(of, path+".0")
		}
		last := place{name: path}.last
		switch {
		case schema["format"] == laurel.FormatIdentifier:
			out = append(out, naming{in: "body", path: path})
		case path == "" || properties != nil || schema["items"] != nil || !addressed(last()):
		case schema["pattern"] != nil:
			out = append(out, naming{in: "body", path: path, evm: true})
		default:
			t.Errorf("%s does not say what it accepts", path)
		}
	}
	for _, p := range items(described["parameters"]) {
		parameter := p.(object)
		name, ok := parameter["name"].(string)
		if !ok {
			continue // a header that all operations share
		}
		schema := parameter["schema"].(object)
		of, many := schema["items"].(object)
		if !many {
			of = schema
		}
		if addressed(name) && of["format"] != laurel.FormatIdentifier {
			t.Errorf("parameter %s does not say what it accepts", name)
		}
		if of["format"] == laurel.FormatIdentifier {
			out = append(out, naming{in: "query", path: name, many: many})
		}
	}
	if body, ok := described["requestBody"].(object); ok {
		walk(body["content"].(object)["application/json"].(object)["schema"].(object), "")
	}
	return out
}

func addressed(name string) bool {
	return name != "emailAddress" && name != "ipAddress" && (strings.HasSuffix(name, "ddress") || strings.HasSuffix(name, "ddresses"))
}

// put puts a name at a place of a call, with whatever must stand around it.
func (n naming) put(v *visitor, name string) {
	if n.in == "query" {
		v.query.Set(n.path, name)
		return
	}
	var into func(at any, parts []string) any
	into = func(at any, parts []string) any {
		if len(parts) == 0 {
			return name
		}
		if _, err := strconv.Atoi(parts[0]); err == nil {
			list, _ := at.([]any)
			if len(list) == 0 {
				list = []any{nil}
			}
			list[0] = into(list[0], parts[1:])
			return list
		}
		thing, _ := at.(object)
		if thing == nil {
			thing = object{}
		}
		thing[parts[0]] = into(thing[parts[0]], parts[1:])
		if strings.HasSuffix(n.path, "ollections.0.address") && parts[0] == "address" {
			thing["network"] = "base" // is needed beside it
		}
		return thing
	}
	v.body = into(v.body, strings.Split(n.path, ".")).(object)
}

// fixed are addresses that only creations read: updates ignore them.
var fixed = map[string]string{
	"POST /api/auctions/{id}": "currencyAddress", "POST /api/contracts/{id}": "address",
	"POST /api/website_collections/{id}": "collectionAddress",
}

// faulted reports whether an answer tells of a fault at a path.
func faulted(a apptest.Response, path string) bool {
	return a.Status == 400 && slices.ContainsFunc(items(a.JSON()["errors"]), func(fault any) bool {
		return fault.(object)["path"] == path
	})
}

// Every operation of the document that names a member or an address refuses what any of them refuses, with the path.
func TestEveryOperationRefusesTheSameNames(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme := settleAll(s).acme
		document := s.OpenAPI()
		judged := 0
		for _, op := range operations(s) {
			described := document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)].(object)
			kind := byte('O')
			if strings.Contains(op.visit.keys, "W") {
				kind = 'W'
			}
			for _, n := range namings(t, document, described) {
				judged++
				if fixed[op.method+" "+op.path] == n.path {
					continue
				}
				v := acme.visit(op, kind)
				for _, name := range badNames {
					if n.many && strings.Contains(name, ",") {
						continue
					}
					n.put(v, name)
					if got := v.send(acme.key(kind)); !faulted(got, n.path) {
						t.Errorf("%s %s accepts %q as %s: %d %s", op.method, op.path, name, n.path, got.Status, got.Body)
						break
					}
				}
				for _, name := range goodNames {
					n.put(v, name)
					// A wallet that connects signs for itself, so it is an address of a blockchain.
					if n.evm || strings.HasSuffix(n.path, "contractAddress") && n.in == "body" || op.path == "/api/users/connect" {
						continue
					}
					if got := v.send(acme.key(kind)); faulted(got, n.path) && !strings.Contains(got.Body, "hexadecimal") {
						t.Errorf("%s %s refuses %q as %s: %s", op.method, op.path, name, n.path, got.Body)
					}
				}
			}
		}
		if judged < 60 {
			t.Errorf("only %d places name a member or an address", judged)
		}
	})
}

// Every kind of list refuses the same names: what a file names can be named by a request.
func TestEveryListRefusesTheSameNames(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rows := func(head, good, rest string) string {
			var out strings.Builder
			out.WriteString(head + "\n")
			for _, name := range append(slices.Clone(badNames), good) {
				fmt.Fprintf(&out, "\"%s\"%s\n", name, rest)
			}
			return out.String()
		}
		wallets := s.Upload("wallets.csv", rows("walletAddress,amount", apptest.Alice, ",5"))
		codes := s.Upload("codes.csv", rows("code", "SUMMER", ""))
		restricted := s.Rule("points_airdrop", object{apptest.OnList: wallets})
		coded := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": codes}})
		conditioned := s.Free(nil)
		s.CreateChain(conditioned, "AND", apptest.CSV(wallets))
		s.ReadLists()
		want := fmt.Sprintf("complete %d 1 %d", len(badNames)+1, len(badNames))
		for _, rule := range []string{restricted, coded, conditioned} {
			got := s.Imports(rule)[0]
			if status := apptest.Spaced(got["status"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"]); status != want {
				t.Errorf("%s: %s %v", got["kind"], status, got["errors"])
			}
		}
		contract := s.Post("/api/contracts", object{
			"name": "A token", "address": apptest.Carol, "chainId": 8453, "type": "erc20",
		}).Created()["id"]
		claim := s.Post("/api/token_claims", object{"name": "A season", "contractId": contract, "csvUrl": wallets}).OK()
		if _, err := s.App.Claims.RunDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		got := s.Get("/api/token_claims/" + claim["id"].(string)).OK()
		if apptest.Spaced(got["totalWalletsAllocated"], got["totalAllocation"]) != "1 5" {
			t.Errorf("the token claim: %v", got)
		}
	})
}
