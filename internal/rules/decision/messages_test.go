package decision_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// promised are the messages that the interface lists for completions, each with the test that provokes it, or with the
// part of the service that it waits for.
var promised = []struct {
	text  string // "%s" where the interface inserts a name
	test  string // of internal/app; its file holds the text
	shown string // the text as the test sees it, where a name is inserted
	waits string
}{
	{text: "loyaltyRuleId must be a uuid", test: "TestTheEarliestRefusalWins"},
	{text: "Invalid request", test: "TestAMalformedCompletionNamesEveryFault"},
	{text: "Loyalty currency not found", test: "TestTheEarliestRefusalWins"},
	{text: "Only external rules can have amount override", test: "TestTheEarliestRefusalWins"},
	{text: "Only external rules can have idempotency key override", test: "TestTheEarliestRefusalWins"},
	{text: "Api key is required to skip chain or required check", test: "TestSecretKeysSkipRequiredRules"},
	{text: "Loyalty rule has expired", test: "TestTheEarliestRefusalWins"},
	{text: "Loyalty rule has not started yet", test: "TestClientsLearnTheNamesOfShownRulesOnly"},
	{
		text:  "Loyalty rule %s has not started yet",
		test:  "TestRefusalsComeInTheContractsOrder",
		shown: "Loyalty rule R has not started yet",
	},
	{text: "Access restricted. Your account is blocked.", test: "TestTheEarliestRefusalWins"},
	{text: "Please complete other required rules to unlock this quest.", test: "TestRequiredRulesComeFirst"},
	{text: "this quest is only available for new users", test: "TestNewUsersAreSeenSinceTheStart"},
	{text: "Access restricted. Your account is not on the list.", test: "TestAnAirdropPaysWhoStandsOnItsList"},
	{text: "Rule is not setup", test: "TestCodeRulesWithoutCodesAreNotSetUp"},
	{text: "Invalid Verification, try again", test: "TestTextsAreLongEnough"},
	{text: "The code you entered could not be verified", test: "TestASharedCodeIsTrimmedAndCaseSensitive"},
	{text: "Quest not completed", test: "TestTrackedProgressIsRefusedAt60AndPaidAt100"},
	{text: "Quest not achieved, please try again.", test: "TestTiersAreChosenByValueOrProgress"},
	{text: "Link already clicked, your reward is being processed", test: "TestAClickPaysAfterItsDelay"},
	{text: "Check-in amount rule cannot be completed when amount is 0", test: "TestTheEarliestRefusalWins"},
	{text: "You have already been rewarded", test: "TestExternalRulePaysOncePerWindow"},
	{text: "%s not connected", test: "TestConnectedAccountsEarn", shown: "Microblog not connected"},
	{text: "Phone not connected or not verified", test: "TestConnectedAccountsEarn"},
	{text: "Email not verified", test: "TestConnectedAccountsEarn"},
	{text: "Email not connected or not verified", test: "TestConnectedAccountsEarn"},
	{text: "No choice selected", test: "TestQuizzesPayForTheCorrectChoice"},
	{text: "Question not found", test: "TestQuizzesPayForTheCorrectChoice"},
	{text: "Invalid choice selected", test: "TestQuizzesPayForTheCorrectChoice"},
	// not of the interface: token rewards alone say it
	{text: "User has no wallet address", test: "TestNobodyIsOwedTokensWithoutAWallet"},
	{
		text: "Connect your %s account or provide a content url", test: "TestEveryPlatformTypeNeedsAnAccountAndItsBody",
		shown: "Connect your Microblog account or provide a content url",
	},
	{text: "Comment link is required", test: "TestEveryPlatformTypeNeedsAnAccountAndItsBody"},
	{
		text: "The same %s account was already used by another user", test: "TestAnotherAccountOfTheGroupEarnsWhereTheFirstHas",
		shown: "The same Microblog account was already used by another user",
	},
	{text: "Post not found", test: "TestEveryPlatformTypePaysWhoHasEarnedIt"},
	{text: "Text not found", test: "TestEveryPlatformTypePaysWhoHasEarnedIt"},
	{text: "Comment not found", test: "TestEveryPlatformTypePaysWhoHasEarnedIt"},
	{text: "Repost not found", test: "TestEveryPlatformTypePaysWhoHasEarnedIt"},
	{text: "Follow not found", test: "TestEveryPlatformTypePaysWhoHasEarnedIt"},
	{text: "Post already claimed", test: "TestAPostEarnsARuleOnceWhoeverClaimsIt"},
	{text: "Post was made by another account", test: "TestAPostEarnsARuleOnceWhoeverClaimsIt"},
	{text: "Post was made before the rule started", test: "TestPostsAreJudged"},
	{text: "Post has no media", test: "TestPostsAreJudged"},
	{text: "Another completion request for this rule is still in the queue", test: "TestPostsAreJudged"}, // decision 96
	{text: "Claim on token hold is supported only for multipliers", test: "TestTokenHoldByCallGivesMultipliers"},
	{
		text: "Claim on token hold is not supported for paid full royalty or native purchases",
		test: "TestTokenHoldByCallGivesMultipliers",
	},
	{text: "Claim on token hold is not supported for %s", test: "TestTokenHoldByCallGivesMultipliers"},
}

// literals counts the string literals of a Go file.
func literals(t *testing.T, path string) map[string]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				found[text]++
			}
		}
		return true
	})
	return found
}

// TestEveryMessageOfACompletionStandsOnceAndIsProvoked holds the table from refusal to message: each text is in
// messages.go, nowhere else in the code that refuses, and a test over HTTP sees it. A text that waits is nowhere yet.
func TestEveryMessageOfACompletionStandsOnceAndIsProvoked(t *testing.T) {
	t.Parallel()
	table, elsewhere := literals(t, "messages.go"), map[string]string{}
	for _, dir := range []string{".", "../schema", "../catalog", "../jobs", "../../engagement/multiplier"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if path == "messages.go" || strings.HasSuffix(path, "_test.go") {
				continue
			}
			for text := range literals(t, path) {
				elsewhere[text] = path
			}
		}
	}
	tests := provokers(t)
	known := map[string]bool{}
	for _, m := range promised {
		known[m.text] = true
		if path := elsewhere[m.text]; path != "" {
			t.Errorf("%q stands in %s too", m.text, path)
		}
		switch n := table[m.text]; {
		case m.waits != "" && n != 0:
			t.Errorf("%q waits for %s, yet it stands in messages.go: name its test", m.text, m.waits)
		case m.waits == "" && n != 1:
			t.Errorf("%q stands %d times in messages.go", m.text, n)
		}
		shown := m.text
		if m.shown != "" {
			shown = m.shown
		}
		if m.waits == "" && !strings.Contains(tests[m.test], strconv.Quote(shown)) {
			t.Errorf("%q is not in the file of %s", shown, m.test)
		}
	}
	for text := range table {
		if !known[text] && !acceptsTrigger[text] {
			t.Errorf("%q is neither promised by the interface nor an answer", text)
		}
	}
}

// acceptsTrigger are the texts of messages.go that refuse nothing.
var acceptsTrigger = map[string]bool{
	"Completion request added to queue":                              true,
	"Link click being verified, come back later to check the status": true,
	"Completed": true,
	"The reward could not be given, please try again": true,
}

// sharedTexts returns the quoted texts of the constants and tables that tests of several packages name, by "apptest."
// and their names.
func sharedTexts(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../dev/apptest/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
				for i, name := range spec.Names {
					out["apptest."+name.Name] = texts(spec.Values[i])
				}
			}
			return true
		})
	}
	return out
}

// texts returns the quoted texts of a value, one to a line.
func texts(value ast.Expr) (out string) {
	ast.Inspect(value, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			out += lit.Value + "\n"
		}
		return true
	})
	return out
}

// provokers returns the file of each test over HTTP by the test's name, with the texts of the constants that it names.
func provokers(t *testing.T) map[string]string {
	t.Helper()
	out, shared := map[string]string{}, sharedTexts(t)
	named := regexp.MustCompile(`\bapptest\.[A-Z]\w*`)
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		text = named.ReplaceAllFunc(text, func(name []byte) []byte {
			if value := shared[string(name)]; value != "" {
				return []byte(value)
			}
			return name
		})
		for _, part := range strings.Split(string(text), "\nfunc Test")[1:] {
			name, _, _ := strings.Cut(part, "(")
			out["Test"+name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
