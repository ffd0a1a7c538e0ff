package lists_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// savedFiles are lists as programs save them: each names Alice with 7.5 and Bob with 10.
var savedFiles = map[string]string{
	"comma, LF":                 "walletAddress,amount\nALICE,7.5\nBOB,10\n",
	"comma, without a header":   "ALICE,7.5\nBOB,10",
	"CRLF and a mark":           "\xef\xbb\xbfwalletAddress,amount\r\nALICE,7.5\r\nBOB,10\r\n",
	"semicolon, decimal comma":  "walletAddress;amount\r\nALICE;7,5\r\nBOB;10,00\r\n",
	"semicolon, no header":      "ALICE;7,5\nBOB;10\n",
	"semicolon, decimal point":  "Amount;WalletAddress\n7.5;ALICE\n10;BOB\n",
	"tab":                       "walletAddress\tamount\r\nALICE\t7.5\r\nBOB\t10\r\n",
	"CR":                        "walletAddress,amount\rALICE,7.5\rBOB,10\r",
	"CR, semicolon, no header":  "ALICE;7,5\rBOB;10",
	"every line end":            "walletAddress,amount\rALICE,7.5\r\n\n\rBOB,10\n",
	"sep=":                      "sep=;\r\nwalletAddress;amount\r\nALICE;7,5\r\nBOB;10\r\n",
	"sep= and a mark":           "\xef\xbb\xbfsep=\t\rwalletAddress\tamount\rALICE\t7.5\rBOB\t10\r",
	"all quoted":                "\"WALLETADDRESS\",\"AMOUNT\"\r\n\"ALICE\",\"7.5\"\r\n\"BOB\",\"10\"\r\n",
	"all quoted, by semicolon":  "\xef\xbb\xbf\"walletAddress\";\"note\";\"amount\"\n\"ALICE\";\"a;b\r\nc\";\"7,5\"\n\"BOB\";\"\"\"\";\"10\"\n",
	"trailing separators":       "walletAddress,amount,,\nALICE,7.5,,\nBOB,10,,\n,,,\n,,,\n",
	"spaces around the amounts": "walletAddress, amount \nALICE, 7.5\nBOB, 10 \n",
	"a header of more columns":  "Name (last, first);walletAddress;amount;note\nX;ALICE;7,5;\nY;BOB;10;z\n",
	"an export of this service": "\xef\xbb\xbf\"walletAddress\",\"member\",\"name\",\"amount\"\r\n\"ALICE\",\"\",\"'=1\",\"7.5\"\r\n\"BOB\",\"\",\"\",\"10\"\r\n",
}

// named puts the wallets into a file.
func named(text string) string {
	return strings.NewReplacer("ALICE", apptest.Alice, "BOB", apptest.Bob).Replace(text)
}

func TestFilesAreReadAsProgramsSaveThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		files := 0
		for name, text := range savedFiles {
			rule := s.Rule("points_airdrop", object{apptest.OnList: s.Upload("list.csv", named(text))})
			s.ReadLists()
			got := s.Imports(rule)[0]
			counts := apptest.Spaced(got["status"], got["rowsTotal"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"])
			if counts != "complete 2 2 2 0" {
				t.Errorf("%s: %s %v", name, counts, got["errors"])
				continue
			}
			files++
			for _, wallet := range []string{apptest.Alice, apptest.Bob} {
				s.Complete(rule, object{"walletAddress": wallet}).OK()
			}
		}
		for wallet, each := range map[string]float64{apptest.Alice: 7.5, apptest.Bob: 10} {
			if want := strconv.FormatFloat(each*float64(files), 'f', -1, 64); s.Balance(wallet) != want {
				t.Errorf("%s has %s, not %s", wallet, s.Balance(wallet), want)
			}
		}
	})
}

func TestEveryKindOfListIsReadBySemicolonAndCR(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		wallets := s.Upload("w.csv", named("walletAddress;amount\rALICE;7,5\rBOB;10\r"))
		coded := s.Rule("code_entry", object{"interval": "unlimited", "metadata": object{
			"promoCodeType": "csv", "promoCodeCsvUrl": s.Upload("c.csv", "code;note\rSUMMER;a,b\rAUTUMN;\r"),
		}})
		rewarded := s.Rule("token_hold", object{"customRewardsCsvUrl": s.Upload("r.csv", "tokenId;reward\r7;1,5\r8;2\r")})
		conditioned := s.Free(nil)
		s.CreateChain(conditioned, "AND", apptest.CSV(wallets))
		s.ReadLists()
		for _, rule := range []string{coded, rewarded, conditioned} {
			if got := s.Imports(rule)[0]; apptest.Spaced(got["status"], got["rowsKept"], got["rowsSkipped"]) != "complete 2 0" {
				t.Errorf("%v", got)
			}
		}
		s.Complete(coded, object{"walletAddress": apptest.Alice, "verificationCode": "AUTUMN"}).OK()
		s.Complete(conditioned, object{"walletAddress": apptest.Bob}).OK()
	})
}

func TestAFileThatIsNoListLeavesTheOneInForce(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		rule := s.Rule("points_airdrop", object{apptest.OnList: out.Set("/l.csv", named("ALICE,7\n")), "interval": "unlimited"})
		s.ReadLists()
		utf16 := "\xff\xfe"
		for _, c := range named("walletAddress,amount\r\nBOB,1\r\n") {
			utf16 += string([]byte{byte(c), 0})
		}
		for text, why := range map[string]string{
			"walletAddress,amount\rBOB,x\r":     "File has no good row",
			"walletAddress,amount\r":            "File has no rows",
			"walletAddress,amount\nBOB;1,5\n":   "File has no good row",
			"walletAddress\n\" BOB\"\nBOB \n":   "File has no good row",
			"sep=|\nBOB|1\n":                    "File names a separator that is none of comma, semicolon and tab",
			"PK\x03\x04 BOB":                    "File is a spreadsheet or an archive, not CSV: save it as CSV UTF-8",
			"[]":                                "File is JSON, not a list",
			utf16:                               "File is in UTF-16: save it as CSV UTF-8",
			"\xef\xbb\xbf\r\r\n\n,,\n\t\n":      "File has no rows",
			"amount\n5\n":                       "File has no column walletAddress",
			"walletAddress,amount\n\xe4BOB,1\n": "File has no good row",
		} {
			out.Set("/l.csv", named(text))
			s.Clock.Advance(time.Hour)
			s.ReadLists()
			if got := s.Imports(rule)[0]; got["status"] != "failed" || got["message"] != why {
				t.Errorf("%q: %v %v", text, got["status"], got["message"])
			}
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			for _, wallet := range []string{apptest.Bob, apptest.Bob + ";1"} {
				if got := s.Complete(rule, object{"walletAddress": wallet}); got.Status != 400 {
					t.Errorf("%q makes a member of %q: %s", text, wallet, got.Body)
				}
			}
		}
	})
}

// An address may take 30 s to its first byte (contract 5.11).
func TestAnAddressMayTakeSecondsToItsFirstByte(t *testing.T) {
	t.Parallel()
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(6 * time.Second)
		_, _ = io.WriteString(w, apptest.Alice+",5\n")
	}))
	t.Cleanup(slow.Close)
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("points_airdrop", object{apptest.OnList: slow.URL})
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["status"] != "complete" {
			t.Errorf("%v", got)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	})
}
