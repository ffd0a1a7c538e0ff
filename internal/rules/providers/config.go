package providers

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/configfile"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/schema"
)

const (
	defaultTimeout               = 3 * time.Second
	minTimeout     laurel.Amount = laurel.One / 10
	// Two tries and the pause between them take less than the 10 s that a call may wait for a provider (contract 5.1).
	maxTimeout  laurel.Amount = 4 * laurel.One
	maxPartners               = 1000
)

// ReadPartners reads the operator's configuration:
//
//	{"partners": [{"type": "shop_spend", "url": "https://…", "header": {"name": "Authorization", "value": "Bearer …"}, "timeoutSeconds": 3, "websiteId": "…"}]}
//
// Only type and url are required, and addresses must pass the guard. Faults are added to f, with pathPrefix in front of
// their paths; partners with faults are left out.
func ReadPartners(f *laurel.Faults, pathPrefix string, text []byte, guard *outbound.Guard) []Partner {
	top, ok := configfile.Parse(f, pathPrefix, text, "partners")
	if !ok {
		return nil
	}
	var list []Partner
	configured := map[partnerKey]bool{}
	known := []string{"type", "url", "header", "timeoutSeconds", "websiteId"}
	top.Objects("partners", maxPartners, known, func(o configfile.Object) {
		faultsBefore := len(*f)
		p := readPartner(f, o, guard)
		if len(*f) != faultsBefore {
			return
		}
		if configured[partnerKey{p.Type, p.WebsiteID}] {
			o.Fault("", "is the second of %s for the same websites", p.Type)
		}
		configured[partnerKey{p.Type, p.WebsiteID}] = true
		list = append(list, p)
	})
	return list
}

// readPartner decodes a partner.
func readPartner(f *laurel.Faults, o configfile.Object, guard *outbound.Guard) Partner {
	p := Partner{
		Type: schema.Type(o.RequiredText("type")), URL: o.RequiredURL("url", guard), WebsiteID: o.ID("websiteId"),
		Timeout: defaultTimeout,
	}
	if p.Type != "" && p.Type.Kind().Provider != schema.PartnerProvider {
		o.Fault("type", "must be one of: %s", strings.Join(partnerTypes(), ", "))
	}
	if header, ok := o.Object("header", "name", "value"); ok {
		p.Header, p.Secret = header.RequiredText("name"), header.RequiredText("value")
		outbound.CheckHeaderName(f, header.Path("name"), p.Header)
		outbound.CheckHeaderValue(f, header.Path("value"), p.Secret)
	}
	timeoutRange := fmt.Sprintf("must be between %s and %s", minTimeout, maxTimeout)
	if s := laurel.Amount(0); o.Decode("timeoutSeconds", &s, timeoutRange) {
		if s < minTimeout || s > maxTimeout {
			o.Fault("timeoutSeconds", "%s", timeoutRange)
		}
		p.Timeout = time.Duration(s) * time.Microsecond // an amount counts millionths
	}
	return p
}

// partnerTypes returns the rule types that partners verify.
func partnerTypes() []string {
	return slices.DeleteFunc(schema.TypeNames(), func(t string) bool {
		return schema.Type(t).Kind().Provider != schema.PartnerProvider
	})
}
