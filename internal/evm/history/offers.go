package history

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/node"
)

// Offer is that tokens are offered for sale, or are no more.
type Offer struct {
	Key    string   // of the offer, as the market names it; "": by its token
	HasEnd bool     // the offer is open no more
	Until  *big.Int // when it ends by itself, in Unix seconds; nil or 0: it does not
}

// IsOpenAt reports whether an offer has not ended by itself before a moment.
func (o *Offer) IsOpenAt(moment time.Time) bool {
	return o.Until == nil || o.Until.Sign() == 0 || o.Until.Cmp(big.NewInt(moment.Unix())) > 0
}

// Listings returns the listings of the markets of a network that is read.
func (r *Reader) Listings(network string) []evm.ListingMarket {
	return r.networks[network].client.Network().Listings
}

// Offers returns the source of the offers of a market.
func Offers(network string, m evm.ListingMarket) Source {
	names, _ := json.Marshal(m) //nolint:errchkjson // texts
	s := Source{network: network, contract: m.ContractAddress, what: "offers " + string(names)}
	filter, isAnonymous := node.Filter{Addresses: []string{m.ContractAddress}, Topics: [][]string{nil}}, false
	type known struct {
		event   *abi.Event
		mapping evm.ListingMapping
		hasEnd  bool
	}
	var list []known
	add := func(e evm.ListingEvent, hasEnd bool) {
		event := abi.ParseEvent(new(laurel.Faults), "", string(e.EventABI)) // the configuration was checked
		list = append(list, known{event, e.Mapping, hasEnd})
		filter.Topics[0] = append(filter.Topics[0], event.Topic)
		isAnonymous = isAnonymous || event.Anonymous
	}
	add(m.Listed, false)
	for _, e := range m.Ended {
		add(e, true)
	}
	if isAnonymous {
		filter.Topics = nil
	}
	s.filters = []node.Filter{filter}
	s.indexed = func(Event) []string { return nil } // OffersAfter reads them all
	s.hasCounts = m.Listed.Mapping.Quantity != ""
	s.decode = func(l node.Log) []Event {
		for _, k := range list {
			if v := decode(k.event, l); v != nil {
				return []Event{offerIn(v, k.mapping, k.hasEnd, l.BlockNumber)}
			}
		}
		return nil
	}
	return s
}

// offerIn returns what the arguments of an event say of an offer.
func offerIn(v map[string]any, names evm.ListingMapping, hasEnd bool, block uint64) Event {
	argument := func(name string) string {
		if name == "" {
			return ""
		}
		return textOf(v[name])
	}
	e := Event{
		Block: block, Collection: argument(names.Collection), From: argument(names.Seller), ID: argument(names.TokenID),
		Offer: &Offer{Key: argument(names.Listing), HasEnd: hasEnd},
	}
	if names.Quantity != "" {
		e.Count = numberOf(v[names.Quantity])
	} else if !hasEnd {
		e.Count = big.NewInt(1)
	}
	if names.EndsAt != "" {
		e.Offer.Until = numberOf(v[names.EndsAt])
	}
	return e
}

// OffersAfter returns the offers of a source of Offers that are open after a range, but for those that end by
// themselves: by seller. Errors: as of Read.
func (r *Reader) OffersAfter(ctx context.Context, s Source, in Range) (out map[string][]Event, err error) {
	err = r.use(ctx, s, in, func(kept *series) {
		if kept.offers == nil || kept.offersIn != in {
			kept.offers, kept.offersIn = offersAfter(s.hasCounts, kept.events, in), in
		}
		out = kept.offers
	})
	return out, err
}

// offersAfter returns the open offers by seller. Of a market whose offers have no counts, a token is offered once: a
// later offer of it replaces the one before, of any seller. The end of an offer of a token without its name ends
// those of the token, of the seller if it names one.
func offersAfter(hasCounts bool, events []Event, in Range) map[string][]Event {
	type token struct{ collection, id string }
	open, byToken := map[string]Event{}, map[token][]string{}
	drop := func(key string) {
		of := token{open[key].Collection, open[key].ID}
		byToken[of] = slices.DeleteFunc(byToken[of], func(k string) bool { return k == key })
		if len(byToken[of]) == 0 {
			delete(byToken, of)
		}
		delete(open, key)
	}
	take := func(key string, count *big.Int) {
		e := open[key]
		if count == nil || count.Cmp(e.Count) >= 0 {
			drop(key)
			return
		}
		e.Count = new(big.Int).Sub(e.Count, count)
		open[key] = e
	}
	for _, e := range events {
		if e.Block < in.From || e.Block > in.Last {
			continue
		}
		key, of := "#"+e.Offer.Key, token{e.Collection, e.ID}
		if e.Offer.Key == "" {
			key = e.Collection + " " + e.ID + " " + e.From
		}
		if e.Offer.HasEnd {
			switch _, isOpen := open[key]; {
			case isOpen:
				take(key, e.Count)
			case e.Offer.Key == "" && e.From == "":
				for _, k := range slices.Clone(byToken[of]) {
					take(k, e.Count)
				}
			}
			continue
		}
		if _, isOpen := open[key]; isOpen {
			drop(key)
		}
		if !hasCounts {
			for _, k := range slices.Clone(byToken[of]) {
				drop(k)
			}
		}
		if e.Count.Sign() > 0 {
			open[key] = e
			byToken[of] = append(byToken[of], key)
		}
	}
	out := map[string][]Event{}
	for _, e := range open {
		out[e.From] = append(out[e.From], e)
	}
	return out
}
