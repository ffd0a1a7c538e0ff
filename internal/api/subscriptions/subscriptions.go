package subscriptions

import (
	"cmp"
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/webhooks"
)

// subscription is contract 3.32.
type subscription struct {
	ID                      laurel.ID          `json:"id"`
	Name                    string             `json:"name"`
	WebsiteID               laurel.ID          `json:"websiteId"`
	OrganizationID          laurel.ID          `json:"organizationId"`
	FunctionIDs             []string           `json:"functionIds"`
	CallbackURL             string             `json:"callbackUrl"`
	Metadata                rest.Any           `json:"metadata,omitempty"`
	StartsAt                *laurel.Timestamp  `json:"startsAt,omitempty"`
	EndsAt                  *laurel.Timestamp  `json:"endsAt,omitempty"`
	ReplayFrom              *laurel.Timestamp  `json:"replayFrom,omitempty" doc:"The moment from which on the subscription began with recorded events; absent if with new ones"`
	MaxEventsPerDay         *int64             `json:"maxEventsPerDay,omitempty"`
	Finality                string             `json:"finality,omitempty" enum:"confirmed,instant"`
	Version                 string             `json:"version" enum:"v1,v2"`
	SigningKey              string             `json:"signingKey" doc:"whsec_ and the base64 of 24 bytes"`
	CreatedAt               laurel.Timestamp   `json:"createdAt"`
	UpdatedAt               laurel.Timestamp   `json:"updatedAt"`
	DeletedAt               *laurel.Timestamp  `json:"deletedAt"`
	Disabled                bool               `json:"disabled"`
	DisabledAt              *laurel.Timestamp  `json:"disabledAt,omitempty"`
	DisabledReason          string             `json:"disabledReason,omitempty"`
	ConsecutiveFailures     int64              `json:"consecutiveFailures"`
	BlockchainSubscriptions []blockchainSource `json:"blockchainSubscriptions,omitempty"`
	PlatformSubscriptions   []platformSource   `json:"platformSubscriptions,omitempty"`
}

// backfill is how far the blocks before those that are followed are read.
type backfill struct {
	NextBlock string `json:"nextBlock"`
	ToBlock   string `json:"toBlock"`
}

type blockchainSource struct {
	ID                         laurel.ID         `json:"id"`
	ChainID                    int64             `json:"chainId"`
	ContractAddress            string            `json:"contractAddress"`
	BlockchainSubscriptionType string            `json:"blockchainSubscriptionType" enum:"EVENT,FUNCTION"`
	EventSelector              string            `json:"eventSelector"`
	EventABI                   string            `json:"eventAbi"`
	FunctionABI                string            `json:"functionAbi"`
	FromBlock                  string            `json:"fromBlock"`
	CreatedAtBlock             string            `json:"createdAtBlock"`
	CreatedAt                  laurel.Timestamp  `json:"createdAt"`
	UpdatedAt                  laurel.Timestamp  `json:"updatedAt"`
	DeletedAt                  *laurel.Timestamp `json:"deletedAt"`
	Backfill                   *backfill         `json:"backfill,omitempty" doc:"The blocks from fromBlock on that are still to be read; absent once all are"`
}

type platformSource struct {
	ID        laurel.ID         `json:"id"`
	Table     string            `json:"table"`
	CreatedAt laurel.Timestamp  `json:"createdAt"`
	UpdatedAt laurel.Timestamp  `json:"updatedAt"`
	DeletedAt *laurel.Timestamp `json:"deletedAt"`
}

// shape returns a subscription as responses show it, with its signing key in plain text and its sources, which are
// platform tables or blockchain contracts.
func (h *handlers) shape(s webhooks.Subscription) subscription {
	out := subscription{
		ID: s.ID, Name: s.Name, WebsiteID: s.WebsiteID, OrganizationID: s.OrganizationID, FunctionIDs: s.FunctionIDs,
		CallbackURL: s.CallbackURL, Metadata: rest.Any(s.Metadata), StartsAt: laurel.Stamp(s.StartsAt.Time),
		EndsAt: laurel.Stamp(s.EndsAt.Time), ReplayFrom: laurel.Stamp(s.ReplayFrom.Time),
		MaxEventsPerDay: s.MaxEventsPerDay, Finality: string(s.Finality), Version: s.Version,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		DeletedAt: laurel.Stamp(s.DeletedAt.Time), Disabled: s.Disabled(), DisabledAt: laurel.Stamp(s.DisabledAt.Time),
		DisabledReason: string(s.DisabledReason), ConsecutiveFailures: s.ConsecutiveFailures,
	}
	if key := h.Secrets.Reveal(s.SigningKey); key != nil {
		out.SigningKey = *key
	}
	for _, source := range s.Sources {
		at := source.CreatedAt
		if source.Table != "" {
			out.PlatformSubscriptions = append(out.PlatformSubscriptions,
				platformSource{ID: source.ID, Table: string(source.Table), CreatedAt: at, UpdatedAt: at, DeletedAt: out.DeletedAt})
			continue
		}
		blockchain := blockchainSource{
			ID: source.ID, ChainID: source.ChainID, ContractAddress: source.Contract, BlockchainSubscriptionType: source.Kind,
			EventSelector: source.Selector, EventABI: source.ABI, FromBlock: cmp.Or(source.FromBlock, "0"),
			CreatedAtBlock: source.CreatedAtBlock, CreatedAt: at, UpdatedAt: at, DeletedAt: out.DeletedAt,
		}
		if source.IsReadingPast() {
			blockchain.Backfill = &backfill{strconv.FormatInt(*source.NextBlock, 10), strconv.FormatInt(*source.UntilBlock, 10)}
		}
		if source.Kind == "FUNCTION" { // its ABI is that of a function, not of an event
			blockchain.EventABI, blockchain.FunctionABI = "", source.ABI
		}
		out.BlockchainSubscriptions = append(out.BlockchainSubscriptions, blockchain)
	}
	return out
}

// subscriptionResponse returns the response with one subscription that was read or written.
func (h *handlers) subscriptionResponse(s webhooks.Subscription, err error) (*rest.Response[subscription], error) {
	return rest.ResponseOf(s, err, h.shape)
}

// tableNames lists the platform tables that a subscription may name.
type tableNames struct{}

// Values returns their names.
func (tableNames) Values() []string { return webhooks.TableNames() }

type listInput struct {
	rest.Paging
	Type            string                 `query:"type" enum:"blockchain,platform"`
	Disabled        rest.Bool              `query:"disabled"`
	ContractAddress rest.Address           `query:"contractAddress"`
	ChainID         string                 `query:"chainId" doc:"A whole number"`
	Table           rest.OneOf[tableNames] `query:"table"`
	Name            string                 `query:"name" doc:"A part of the name"`
}

// list returns a page of subscriptions.
func (h *handlers) list(ctx context.Context, in *listInput) (*rest.Page[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	f := webhooks.Filter{
		Type: in.Type, Disabled: in.Disabled.Ptr(), Contract: in.ContractAddress.Text, Table: string(in.Table), Name: in.Name,
	}
	if in.ChainID != "" {
		if f.ChainID, err = strconv.ParseInt(in.ChainID, 10, 64); err != nil {
			var faults laurel.Faults
			faults.Add("chainId", "must be a number")
			return nil, faults.Err()
		}
	}
	page, err := h.Webhooks.List(ctx, scope, f, in.Page())
	return rest.ListOf(page, err, h.shape)
}

type createInput struct {
	Body createBody
}

type createBody struct {
	webhooks.Input
	OrganizationID          laurel.ID         `json:"organizationId"` // required with every key (contract 1.3.3)
	WebsiteID               laurel.ID         `json:"websiteId"`
	ReplayFrom              *laurel.Timestamp `json:"replayFrom,omitempty" doc:"At most 30 days back: the subscription begins with the events that the website has recorded since then"`
	BlockchainSubscriptions []blockchainInput `json:"blockchainSubscriptions,omitempty" maxItems:"50"`
	PlatformSubscriptions   []platformInput   `json:"platformSubscriptions,omitempty" maxItems:"13"`
}

// Creates marks the properties that a new subscription needs as required.
func (createBody) Creates() {}

type blockchainInput struct {
	TriggerID                  *string `json:"triggerId,omitempty"`
	ChainID                    int64   `json:"chainId,omitempty"`
	ContractAddress            string  `json:"contractAddress,omitempty"`
	BlockchainSubscriptionType string  `json:"blockchainSubscriptionType,omitempty" doc:"EVENT or FUNCTION"`
	EventABI                   string  `json:"eventAbi,omitempty" doc:"A JSON fragment or a signature such as event Transfer(address indexed from, address indexed to, uint256 value)"`
	FunctionABI                string  `json:"functionAbi,omitempty"`
	FromBlock                  string  `json:"fromBlock,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (blockchainInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"contractAddress": laurel.RequiredIdentifierKeywords()}}
}

type platformInput struct {
	TriggerID             *string     `json:"triggerId,omitempty"`
	TableNames            []string    `json:"tableNames,omitempty" maxItems:"13"`
	MainLoyaltyAccountIDs []laurel.ID `json:"mainLoyaltyAccountIds,omitempty" maxItems:"100" doc:"Limits entries and accounts to the currencies of these main accounts"`
}

// create creates a subscription with its sources.
func (h *handlers) create(ctx context.Context, in *createInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	input := webhooks.CreateInput{Input: in.Body.Input, ReplayFrom: in.Body.ReplayFrom}
	for _, b := range in.Body.BlockchainSubscriptions {
		input.Blockchain = append(input.Blockchain, webhooks.ContractSource{
			TriggerID: b.TriggerID, ChainID: b.ChainID, Contract: b.ContractAddress, Kind: b.BlockchainSubscriptionType,
			EventABI: b.EventABI, FunctionABI: b.FunctionABI, FromBlock: b.FromBlock,
		})
	}
	for _, p := range in.Body.PlatformSubscriptions {
		input.Platform = append(input.Platform, webhooks.TableSource{
			TriggerID: p.TriggerID, Tables: p.TableNames, MainAccountIDs: p.MainLoyaltyAccountIDs,
		})
	}
	return h.subscriptionResponse(h.Webhooks.Create(ctx, scope, input))
}

type getInput struct {
	rest.PathID
	rest.Tenant
}

func (h *handlers) get(ctx context.Context, in *getInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	return h.subscriptionResponse(h.Webhooks.Get(ctx, scope, in.ID.ID))
}

type updateInput struct {
	rest.PathID
	Body struct {
		webhooks.Input
		rest.TenantBody
	}
}

func (h *handlers) update(ctx context.Context, in *updateInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	return h.subscriptionResponse(h.Webhooks.Update(ctx, scope, in.ID.ID, in.Body.Input))
}

func (h *handlers) delete(ctx context.Context, in *getInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	return h.subscriptionResponse(h.Webhooks.Delete(ctx, scope, in.ID.ID))
}

type actInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
	}
}

func (h *handlers) rotate(ctx context.Context, in *actInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	return h.subscriptionResponse(h.Webhooks.Rotate(ctx, scope, in.ID.ID))
}

type enableInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		Replay *bool `json:"replay,omitempty" doc:"Default true"`
	}
}

func (h *handlers) enable(ctx context.Context, in *enableInput) (*rest.Response[subscription], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	return h.subscriptionResponse(h.Webhooks.Enable(ctx, scope, in.ID.ID, in.Body.Replay == nil || *in.Body.Replay))
}
