package memberimports

import (
	"errors"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/lists"
)

// The columns of a file. Only the first is required.
const (
	columnWallet = iota
	columnExternalIdentifier
	columnDisplayName
	columnEmailAddress
	columnPhoneNumber
	columnJoinedAt
	columnBalance
)

// Columns lists the columns of a file in the order of the constants.
func Columns() []string {
	return []string{
		"walletAddress", "externalIdentifier", "displayName", "emailAddress", "phoneNumber", "joinedAt", "balance",
	}
}

// fileSpec returns what a file of members looks like.
func fileSpec() lists.RowFileSpec {
	columns := Columns()
	return lists.RowFileSpec{Columns: columns[:1], Optional: columns[1:]}
}

// parseRow returns the row of a line, or what is wrong with it. texts are the texts of Columns, decimal converts an
// amount of the file, and no member may have joined after now.
func parseRow(
	line int64, texts []string, decimal func(string) string, now time.Time,
) (r memberRow, problem string) {
	r = memberRow{
		Line: line, Wallet: identity.NormalizeWallet(texts[columnWallet]),
		ExternalIdentifier: texts[columnExternalIdentifier], DisplayName: texts[columnDisplayName],
		EmailAddress: texts[columnEmailAddress], PhoneNumber: texts[columnPhoneNumber],
	}
	var f laurel.Faults
	r.metadata().Validate(&f)
	if text := texts[columnJoinedAt]; text != "" {
		at, err := laurel.ParseTimestamp(text)
		switch {
		case err != nil:
			f.Add("joinedAt", "%s", err)
		case at.After(now):
			f.Add("joinedAt", "must not be in the future")
		case at.Unix() <= 0:
			f.Add("joinedAt", "must be after 1970")
		}
		r.JoinedAt = laurel.NullableTime(at.Time)
	}
	if text := texts[columnBalance]; text != "" {
		amount, err := laurel.ParseAmount(decimal(text))
		switch {
		case err != nil:
			f.Add("balance", "%s", err)
		case amount < 0:
			f.Add("balance", "must be at least 0")
		}
		r.Balance = amount
	}
	return r, firstProblem(f)
}

// firstProblem returns the message of the first fault, or "".
func firstProblem(f laurel.Faults) string {
	var refused *laurel.Error
	if errors.As(f.Err(), &refused) && len(refused.Faults) > 0 {
		return refused.Faults[0].Message
	}
	return ""
}

// metadata returns the metadata of the row: an empty text is not set.
func (r memberRow) metadata() identity.MetadataInput {
	in := identity.MetadataInput{Ref: identity.Ref{Wallet: r.Wallet}}
	for _, field := range []struct {
		text string
		to   *laurel.Optional[string]
	}{
		{r.ExternalIdentifier, &in.ExternalIdentifier}, {r.DisplayName, &in.DisplayName},
		{r.EmailAddress, &in.EmailAddress}, {r.PhoneNumber, &in.PhoneNumber},
	} {
		if field.text != "" {
			*field.to = laurel.Some(field.text)
		}
	}
	return in
}

// profile returns the row as identity writes it.
func (r memberRow) profile() identity.ImportedProfile {
	return identity.ImportedProfile{Metadata: r.metadata(), JoinedAt: r.JoinedAt.Time}
}
