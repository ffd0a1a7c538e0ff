package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// The types of subscriptions: platform tables or contracts of a blockchain.
const (
	Platform   = "platform"
	Blockchain = "blockchain"
)

// The versions of the request body (contract 7.3 and 7.4).
const (
	V1 = "v1"
	V2 = "v2"
)

// The moments at which events of contracts are told (contract 7.1).
const (
	finalityConfirmed = "confirmed"
	finalityInstant   = "instant"
)

// Subscription is an address or a set of functions that gets the events of its sources (contract 3.32): a row of
// subscriptions, with its sources and its current signing key.
type Subscription struct {
	ID                  laurel.ID            `db:"id" json:"id"`
	OrganizationID      laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID           laurel.ID            `db:"website_id" json:"websiteId"`
	Name                string               `db:"name" json:"name"`
	Type                string               `db:"type" json:"-" update:"no"`
	FunctionIDs         laurel.List[string]  `db:"function_ids" json:"functionIds"`
	CallbackURL         string               `db:"callback_url" json:"callbackUrl"` // "": none
	Metadata            laurel.RawJSON       `db:"metadata" json:"metadata"`
	StartsAt            laurel.NullTimestamp `db:"starts_at" json:"startsAt"`
	EndsAt              laurel.NullTimestamp `db:"ends_at" json:"endsAt"`
	ReplayFrom          laurel.NullTimestamp `db:"replay_from" json:"replayFrom" update:"no"` // none: its creation
	MaxEventsPerDay     *int64               `db:"max_events_per_day" json:"maxEventsPerDay"`
	Finality            laurel.NullText      `db:"finality" json:"finality"` // of blockchain subscriptions
	Version             string               `db:"version" json:"version"`
	ConsecutiveFailures int64                `db:"consecutive_failures" json:"consecutiveFailures"`
	FailingSince        laurel.NullTimestamp `db:"failing_since" json:"-"` // none: the last attempt succeeded
	DisabledAt          laurel.NullTimestamp `db:"disabled_at" json:"disabledAt"`
	DisabledReason      laurel.NullText      `db:"disabled_reason" json:"disabledReason"`
	CreatedAt           laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt           laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt           laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
	SigningKey          vault.Secret         `json:"-"`
	Sources             []Source             `json:"-"`
}

// Disabled reports whether deliveries are held back until the subscription is enabled.
func (s Subscription) Disabled() bool { return !s.DisabledAt.IsZero() }

// State returns StateDisabled, or StateFailing since the first failure after the last success, or else StateOn.
func (s Subscription) State() string {
	switch {
	case s.Disabled():
		return StateDisabled
	case !s.FailingSince.IsZero():
		return StateFailing
	default:
		return StateOn
	}
}

// The states of subscriptions.
const (
	StateOn       = "on"
	StateFailing  = "failing" // the last attempt failed
	StateDisabled = "disabled"
)

// Source is one thing that a subscription watches: a platform table, or an event or a function of a contract. It is a
// row of subscription_sources.
type Source struct {
	ID             laurel.ID              `db:"id"`
	SubscriptionID laurel.ID              `db:"subscription_id"`
	TriggerID      *string                `db:"trigger_id"`
	Table          feed.Table             `db:"table_name"`   // "": of a contract
	CurrencyIDs    laurel.List[laurel.ID] `db:"currency_ids"` // only events of these currencies; none: of all
	ChainID        int64                  `db:"chain_id"`
	Contract       string                 `db:"contract_address"`
	Kind           string                 `db:"kind"` // EVENT or FUNCTION
	Selector       string                 `db:"selector"`
	ABI            string                 `db:"abi"`
	FromBlock      string                 `db:"from_block"`       // "": the newest block when the reader finds it
	CreatedAtBlock string                 `db:"created_at_block"` // "0": not known
	NextBlock      *int64                 `db:"next_block"`       // nil: the reader has not found it
	UntilBlock     *int64                 `db:"until_block"`
	CreatedAt      laurel.Timestamp       `db:"created_at"`
}

// Input holds the properties of a subscription that a caller sets. In an update an absent field keeps its value. The
// sources of a subscription cannot change.
type Input struct {
	Name            laurel.Optional[string]           `json:"name,omitzero"`
	FunctionIDs     laurel.Optional[[]string]         `json:"functionIds,omitzero"`
	CallbackURL     laurel.Optional[string]           `json:"callbackUrl,omitzero"`
	Metadata        laurel.Optional[json.RawMessage]  `json:"metadata,omitzero"`
	StartsAt        laurel.Optional[laurel.Timestamp] `json:"startsAt,omitzero"`
	EndsAt          laurel.Optional[laurel.Timestamp] `json:"endsAt,omitzero"`
	MaxEventsPerDay laurel.Optional[int64]            `json:"maxEventsPerDay,omitzero"`
	Finality        laurel.Optional[string]           `json:"finality,omitzero"`
	Version         laurel.Optional[string]           `json:"version,omitzero"`
}

// Bounds returns the limits of the properties, for the OpenAPI document.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{Required: []string{"name"}, NotNull: []string{"name", "functionIds", "callbackUrl", "version"},
		Keywords: map[string]laurel.Keywords{
			"name":            {"minLength": 1, "maxLength": maxName},
			"functionIds":     {"maxItems": maxFunctions},
			"maxEventsPerDay": {"minimum": 1, "maximum": maxPerDay},
		}}
}

// CreateInput is a new subscription. Exactly one of Blockchain and Platform has items.
type CreateInput struct {
	Input
	ReplayFrom *laurel.Timestamp // the first events are those since then; nil: since the creation
	Blockchain []ContractSource
	Platform   []TableSource
}

// ContractSource is an event or a function of a contract to watch.
type ContractSource struct {
	TriggerID   *string
	ChainID     int64
	Contract    string
	Kind        string
	EventABI    string
	FunctionABI string
	FromBlock   string
}

// TableSource is a set of platform tables to watch, for some or all currencies.
type TableSource struct {
	TriggerID      *string
	Tables         []string
	MainAccountIDs []laurel.ID
}

const (
	maxName      = 1000
	maxTrigger   = 255
	maxFunctions = 20
	maxSources   = 50
	maxMetadata  = 16 << 10
	maxPerDay    = 1_000_000_000
)

// errExactlyOneKind refuses a new subscription that has both contract and table sources, or neither (contract 4.1).
func errExactlyOneKind() error {
	return laurel.Errorf(laurel.Refused, "Exactly one of blockchainSubscriptions and platformSubscriptions is required")
}

// Create stores a new subscription with its sources and its first signing key. Errors: Invalid, also for functions and
// accounts that do not exist; Refused unless exactly one of Blockchain and Platform has items, and if the caps allow no
// further subscription.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in CreateInput) (Subscription, error) {
	sub := Subscription{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Type: Platform, Version: V2,
		FunctionIDs: laurel.List[string]{},
	}
	if len(in.Blockchain) > 0 {
		sub.Type, sub.Finality = Blockchain, finalityConfirmed
	}
	var f laurel.Faults
	s.applyInput(&f, in.Input, &sub)
	s.applyReplay(&f, in, &sub)
	in.applySources(&f, &sub)
	if err := f.Err(); err != nil {
		return Subscription{}, err
	}
	if (len(in.Blockchain) == 0) == (len(in.Platform) == 0) {
		return Subscription{}, errExactlyOneKind()
	}
	if err := s.checkFunctions(ctx, scope, sub.FunctionIDs); err != nil {
		return Subscription{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := s.checkCaps(ctx, tx, scope); err != nil {
			return err
		}
		if err := s.resolveCurrencies(ctx, tx, in.Platform, &sub); err != nil {
			return err
		}
		sub.ID, sub.CreatedAt.Time, sub.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		for i := range sub.Sources {
			sub.Sources[i].ID, sub.Sources[i].CreatedAt.Time = tx.NewID(), tx.Now()
			sub.Sources[i].beginAt(s.Head(sub.Sources[i].ChainID))
		}
		if err := insertSubscription(ctx, tx, sub); err != nil {
			return err
		}
		key, err := s.createSigningKey(ctx, tx, sub)
		sub.SigningKey = key
		return err
	})
	if !sub.ReplayFrom.IsZero() {
		s.wakeup.Wake()
	}
	return sub, err
}

// applyReplay sets since when a new subscription gets events, and adds a fault if they are no longer stored.
func (s *Service) applyReplay(f *laurel.Faults, in CreateInput, sub *Subscription) {
	if in.ReplayFrom == nil {
		return
	}
	sub.ReplayFrom.Timestamp = *in.ReplayFrom
	switch now := s.DB.Now(); {
	case sub.Type == Blockchain:
		f.Add("replayFrom", "goes with platformSubscriptions only")
	case sub.ReplayFrom.After(now):
		f.Add("replayFrom", "must not be in the future")
	case sub.ReplayFrom.Before(now.Add(-Retention)):
		f.Add("replayFrom", "must be at most 30 days back")
	}
}

// checkCaps refuses another subscription if the website or the organization has as many as it may (contract 1.9).
func (s *Service) checkCaps(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	if s.Caps.IsUnlimited() {
		return nil
	}
	if err := tx.AdvisoryLock(ctx, "subscriptions of "+scope.OrganizationID.String()); err != nil {
		return err
	}
	ofWebsite, ofOrganization, err := countSubscriptions(ctx, tx, scope)
	if err != nil {
		return err
	}
	return s.Caps.Check("subscriptions", ofWebsite, ofOrganization)
}

// checkFunctions refuses ids that are no live functions of the website.
func (s *Service) checkFunctions(ctx context.Context, scope laurel.Scope, functions []string) error {
	if len(functions) == 0 {
		return nil
	}
	missing, err := s.Functions.Missing(ctx, scope, functions)
	if err == nil && missing != "" {
		err = laurel.Unknown("functionIds."+strconv.Itoa(slices.Index(functions, missing)), "Function")
	}
	return err
}

// applyInput validates the input, sets the properties of a subscription that are in it, and adds every fault to f. A
// subscription without an id is new and must get a name.
func (s *Service) applyInput(f *laurel.Faults, in Input, sub *Subscription) {
	if in.Name.Set || sub.ID.IsZero() {
		sub.Name = in.Name.Value
		f.Text("name", sub.Name, 1, maxName)
	}
	if in.FunctionIDs.Set {
		sub.FunctionIDs = append([]string{}, in.FunctionIDs.Value...)
		if len(sub.FunctionIDs) > maxFunctions {
			f.Add("functionIds", "must have at most %d items", maxFunctions)
		}
		for i, id := range sub.FunctionIDs {
			if parsed, err := laurel.ParseID(id); err == nil { // in one form, whatever the case it was written in
				id = parsed.String()
				sub.FunctionIDs[i] = id
			}
			if slices.Contains(sub.FunctionIDs[:i], id) {
				f.Add("functionIds."+strconv.Itoa(i), "is named twice")
			}
		}
	}
	if in.CallbackURL.Set {
		sub.CallbackURL = in.CallbackURL.Value
		if sub.CallbackURL != "" {
			s.Outbound.Check(f, "callbackUrl", sub.CallbackURL)
		}
	}
	applyMetadata(f, in.Metadata, sub)
	applyPeriod(f, in, sub)
	if in.MaxEventsPerDay.Set {
		sub.MaxEventsPerDay = in.MaxEventsPerDay.Ptr()
		if n := sub.MaxEventsPerDay; n != nil && (*n < 1 || *n > maxPerDay) {
			f.Add("maxEventsPerDay", "must be between 1 and %d", maxPerDay)
		}
	}
	sub.Version = applyChoice(f, "version", in.Version.ApplyTo(&sub.Version), V1, V2)
	if in.Finality.Set && !in.Finality.Null && sub.Type != Blockchain {
		f.Add("finality", "goes with blockchainSubscriptions only")
	} else if sub.Type == Blockchain {
		finality := string(sub.Finality)
		sub.Finality = laurel.NullText(applyChoice(f, "finality", in.Finality.ApplyTo(&finality), finalityConfirmed, finalityInstant))
	}
}

// applyMetadata sets the metadata of a subscription if it is in the input, and adds a fault if it is too large. Null
// removes it.
func applyMetadata(f *laurel.Faults, in laurel.Optional[json.RawMessage], sub *Subscription) {
	if !in.Set {
		return
	}
	sub.Metadata = nil
	if !in.Null {
		sub.Metadata = laurel.RawJSON(in.Value)
	}
	if sub.Metadata != nil {
		budget.CheckJSON(f, "metadata", json.RawMessage(sub.Metadata), maxMetadata)
	}
}

// applyPeriod sets the start and the end of a subscription that are in the input, and adds a fault if the end comes
// before the start. Null removes them.
func applyPeriod(f *laurel.Faults, in Input, sub *Subscription) {
	if in.StartsAt.Set {
		sub.StartsAt.Timestamp = in.StartsAt.Value
	}
	if in.EndsAt.Set {
		sub.EndsAt.Timestamp = in.EndsAt.Value
	}
	if !sub.StartsAt.IsZero() && !sub.EndsAt.IsZero() && sub.EndsAt.Before(sub.StartsAt.Time) {
		f.Add("endsAt", "must not be before startsAt")
	}
}

// applyChoice returns the value, "" for nil, and adds a fault unless it is first or second.
func applyChoice(f *laurel.Faults, path string, value *string, first, second string) string {
	switch {
	case value == nil:
		f.Add(path, "must be one of: %s, %s", first, second)
		return ""
	case *value != first && *value != second:
		f.Add(path, "must be one of: %s, %s", first, second)
	}
	return *value
}

// applySources validates the sources of the input, adds them to the subscription, and adds every fault to f. A table
// source becomes one source for each of its tables.
func (in CreateInput) applySources(f *laurel.Faults, sub *Subscription) {
	if len(in.Blockchain) > maxSources {
		f.Add("blockchainSubscriptions", "must have at most %d items", maxSources)
		return
	}
	for i, c := range in.Blockchain {
		sub.Sources = append(sub.Sources, c.source(f, "blockchainSubscriptions."+strconv.Itoa(i)+"."))
	}
	used := map[feed.Table]bool{}
	for i, p := range in.Platform {
		path := "platformSubscriptions." + strconv.Itoa(i) + "."
		checkTrigger(f, path, p.TriggerID)
		if len(p.Tables) == 0 {
			f.Add(path+"tableNames", "is required")
		}
		if len(p.Tables) > len(Tables) {
			f.Add(path+"tableNames", "must have at most %d items", len(Tables))
			continue
		}
		for j, name := range p.Tables {
			table := feed.Table(name)
			at := path + "tableNames." + strconv.Itoa(j)
			switch {
			case !slices.Contains(TableNames(), name):
				f.Add(at, "must be one of: %s", joinedTableNames())
			case used[table]:
				f.Add(at, "is named twice")
			default:
				used[table] = true
				sub.Sources = append(sub.Sources, Source{TriggerID: p.TriggerID, Table: table})
			}
		}
	}
}

// checkTrigger refuses a trigger id that no HTTP header can carry: no event could be delivered with it.
func checkTrigger(f *laurel.Faults, path string, trigger *string) {
	if trigger == nil {
		return
	}
	f.Text(path+"triggerId", *trigger, 0, maxTrigger)
	if strings.ContainsFunc(*trigger, unicode.IsControl) {
		f.Add(path+"triggerId", "must not contain control characters")
	}
}

// source returns the stored form of a contract source, with the selector of the event or function in its ABI. It adds
// every fault to f, under path.
func (c ContractSource) source(f *laurel.Faults, path string) Source {
	checkTrigger(f, path, c.TriggerID)
	out := Source{
		TriggerID: c.TriggerID, ChainID: c.ChainID, Contract: strings.ToLower(c.Contract), Kind: c.Kind, ABI: c.EventABI,
		FromBlock: c.FromBlock,
	}
	switch {
	case c.ChainID == 0:
		f.Add(path+"chainId", "is required")
	case !evm.IsKnownChainID(c.ChainID):
		f.AddText(path+"chainId", "chainId "+strconv.FormatInt(c.ChainID, 10)+" is not configured")
	}
	if c.Contract == "" {
		f.Add(path+"contractAddress", "is required")
	} else if len(c.Contract) != 42 || !evm.IsHexAddress(c.Contract) {
		f.Add(path+"contractAddress", "must be 0x and 40 hexadecimal digits")
	}
	if _, err := strconv.ParseUint(c.FromBlock, 10, 63); c.FromBlock != "" && err != nil {
		f.Add(path+"fromBlock", "must be the number of a block")
	}
	property, parse := "eventAbi", parseEvent
	switch c.Kind {
	case "EVENT":
	case "FUNCTION":
		property, parse, out.ABI = "functionAbi", parseFunction, c.FunctionABI
	case "":
		f.Add(path+"blockchainSubscriptionType", "is required")
		return out
	default:
		f.Add(path+"blockchainSubscriptionType", "must be one of: EVENT, FUNCTION")
		return out
	}
	if out.ABI == "" {
		f.AddText(path+property, property+" is required")
		return out
	}
	var faults laurel.Faults
	out.Selector = parse(&faults, path+property, out.ABI)
	if len(faults) > 0 {
		f.AddText(path+property, property+" is invalid")
		for _, one := range faults { // they say where, and what is expected there
			f.AddText(one.Path, one.Message)
		}
	}
	return out
}

// parseEvent returns the topic of an event; "" with faults.
func parseEvent(f *laurel.Faults, path, text string) string {
	if event := abi.ParseEvent(f, path, text); event != nil {
		return event.Topic
	}
	return ""
}

// parseFunction returns the selector of a function; "" with faults.
func parseFunction(f *laurel.Faults, path, text string) string {
	if function := abi.ParseFunction(f, path, text); function != nil {
		return function.Selector
	}
	return ""
}

// resolveCurrencies limits the sources of sub to currencies: if a table source of the input names main accounts, the
// sources of its tables get only changes in the currencies of these accounts. Errors: Invalid for an account that is no
// main account of the website.
func (s *Service) resolveCurrencies(ctx context.Context, tx *store.Tx, inputs []TableSource, sub *Subscription) error {
	scope := laurel.Scope{OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID, Role: laurel.RoleWebsite}
	for i, g := range inputs {
		if len(g.MainAccountIDs) == 0 {
			continue
		}
		currencyOf, err := s.Currencies(ctx, tx, scope, g.MainAccountIDs)
		if err != nil {
			return err
		}
		currencies := make([]laurel.ID, len(g.MainAccountIDs))
		for j, id := range g.MainAccountIDs {
			if currencies[j] = currencyOf[id]; currencies[j].IsZero() {
				path := "platformSubscriptions." + strconv.Itoa(i) + ".mainLoyaltyAccountIds." + strconv.Itoa(j)
				return laurel.Unknown(path, "Account")
			}
		}
		for i, source := range sub.Sources {
			if slices.Contains(g.Tables, string(source.Table)) {
				sub.Sources[i].CurrencyIDs = currencies
			}
		}
	}
	return nil
}
