package lists

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Messages about texts that do not look like a member's wallet or id.
const (
	doubtHeader  = "%q looks like a header, a total or an error"
	doubtText    = "%q looks like a text or like several columns"
	doubtFormula = "%q looks like a formula or a fault of a spreadsheet"
	doubtNumber  = "%q looks like a number that a spreadsheet has shortened"
	doubtAddress = "%q is an address with %d digits"
)

// memberDoubt returns why a text does not look like a member's wallet or id: it is a header, a title, a total, an
// error, several columns, or a spoiled address. For other texts it returns "". Members may have odd ids nevertheless,
// so callers refuse a row only if no member has the id.
func memberDoubt(name string) string {
	if evm.IsAccount(name) {
		return ""
	}
	word := lettersOnly(name)
	switch digits := wrongAddressDigits(name); {
	case isHeading(word):
		return fmt.Sprintf(doubtHeader, name)
	case name[0] == '=' || name[0] == '#':
		return fmt.Sprintf(doubtFormula, name)
	case shortened.MatchString(name):
		return fmt.Sprintf(doubtNumber, name)
	case digits > 0:
		return fmt.Sprintf(doubtAddress, name, digits)
	case isNotSingleWord(name):
		return fmt.Sprintf(doubtText, name)
	}
	return ""
}

// codeHeaderProblem returns why the first row of a list of codes is a header, or "" if it is not one. Any text in later
// rows may be a code.
func codeHeaderProblem(text string) string {
	word := lettersOnly(text)
	if isHeading(word) || codesHeading.MatchString(word) {
		return fmt.Sprintf(doubtHeader, text)
	}
	return ""
}

var (
	shortened    = regexp.MustCompile(`^\d(\.\d+)?[eE]\+\d+$`)
	codesHeading = regexp.MustCompile(`(code|voucher|coupon)s?$`)
)

// headings are words of headers, totals and errors, in lower case and without spaces.
var headings = map[string]bool{
	"wallet": true, "wallets": true, "address": true, "addresses": true, "member": true, "members": true,
	"user": true, "users": true, "userid": true, "account": true, "accounts": true, "name": true,
	"total": true, "subtotal": true, "sum": true, "grandtotal": true,
	"error": true, "notfound": true, "forbidden": true, "unauthorized": true, "timeout": true,
	"null": true, "undefined": true, "none": true,
}

// isHeading reports whether a word is typical of a header, a total or an error. It also recognizes the column
// walletAddress with up to two wrong letters.
func isHeading(word string) bool {
	const column = "walletaddress"
	return headings[word] || strings.HasSuffix(word, "address") && word != "" || isWithinEdits(word, column, 2)
}

// lettersOnly returns a text in lower case without spaces, hyphens, underscores and colons, or "" if it has any other
// character that is not a letter.
func lettersOnly(text string) string {
	word := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '_' || r == '-' || r == ':':
			return -1
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return unicode.ReplacementChar
	}, text)
	if strings.ContainsRune(word, unicode.ReplacementChar) {
		return ""
	}
	return word
}

// isWithinEdits reports whether one word becomes the other if at most maxEdits letters are inserted, deleted or
// replaced.
func isWithinEdits(word, other string, maxEdits int) bool {
	if len(word) < len(other)-maxEdits || len(word) > len(other)+maxEdits {
		return false
	}
	previous := make([]int, len(other)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(word) {
		current := []int{i + 1}
		for j := range len(other) {
			replaced := previous[j]
			if word[i] != other[j] {
				replaced++
			}
			current = append(current, min(replaced, previous[j+1]+1, current[j]+1))
		}
		previous = current
	}
	return previous[len(other)] <= maxEdits
}

// wrongAddressDigits returns how many hexadecimal digits a text has after 0x if their number is close to 40 but wrong
// for an address of an EVM network; else 0. Longer texts are addresses of other networks, whose leading zeros may be
// missing.
func wrongAddressDigits(name string) int {
	digits, hasPrefix := strings.CutPrefix(strings.ToLower(name), "0x")
	if !hasPrefix || len(digits) < 36 || len(digits) > 60 || len(digits) == 40 || strings.Trim(
		digits, "0123456789abcdef",
	) != "" {
		return 0
	}
	return len(digits)
}

// isNotSingleWord reports whether a text is not a single word: several columns, a sentence, a page, JSON, a line of
// signs, or a quoted word. Zero-width joiners may be part of a word.
func isNotSingleWord(name string) bool {
	const quotes, joiners = "“”„‟«»‹›‘’‚‛\"`", "\u200c\u200d"
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	return strings.ContainsRune(quotes, first) || strings.ContainsRune(quotes, last) || strings.Trim(name, "-=_.*/?") == "" ||
		strings.ContainsFunc(name, func(r rune) bool {
			return strings.ContainsRune("|<{", r) || unicode.IsSpace(r) || !unicode.IsPrint(r) && !strings.ContainsRune(joiners, r)
		})
}

// findDoubts returns, by line number, why rows look like no member (row.doubt). Rows whose key is nevertheless the id
// or wallet of a member are left out. The map may be nil.
func findDoubts(ctx context.Context, q store.Queryer, scope laurel.Scope, rows []row) (map[int64]string, error) {
	var names []string
	for _, r := range rows {
		if r.doubt != "" {
			names = append(names, r.key)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	members, err := identity.MembersByWallet(ctx, q, scope, names)
	out := map[int64]string{}
	for _, r := range rows {
		if r.doubt != "" && !slices.Contains(members, r.key) {
			out[r.line] = r.doubt
		}
	}
	return out, err
}

// splitDoubtful separates the rows whose key looks like no member, and is none, from the good ones. bad holds, for each
// of the separated rows, its line and the reason.
func (r *importRow) splitDoubtful(ctx context.Context, tx *store.Tx, rows []row) (good []row, bad []RowError, err error) {
	doubts, err := findDoubts(ctx, tx, r.scope(), rows)
	if err != nil || len(doubts) == 0 {
		return rows, nil, err
	}
	for _, candidate := range rows {
		if doubt := doubts[candidate.line]; doubt != "" {
			bad = append(bad, RowError{candidate.line, doubt})
		} else {
			good = append(good, candidate)
		}
	}
	return good, bad, nil
}
