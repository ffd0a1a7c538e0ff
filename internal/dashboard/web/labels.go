package web

import (
	"strconv"
	"strings"
)

// Labels are the labels of a room's fields by the paths of their faults, in addition to commonLabels. Those of rules
// are in package schema.
type Labels map[string]string

// commonLabels are the labels of fields that several rooms have.
var commonLabels = Labels{
	"address": "Contract address", "item": "Item", "loyaltyCurrencyId": "Currency", "network": "Network",
	"picture": "Picture", "amount": "Amount", "endsAt": "Ends", "startsAt": "Starts", "choice": "Choice",
	"code": "Code", "conditions": "Condition", "confirm": "Your password", "currency": "Currency",
	"description": "Description", "email": "E-mail", "file": "File", "from": "From", "imageUrl": "Picture",
	"key": "The form", "multiplier": "Multiplier", "name": "Name", "note": "Note", "organization": "Organization",
	"password": "Password", "rewards": "Reward", "sortId": "Position in lists", "subTitle": "Subtitle",
	"symbol": "Symbol", "title": "Title", "to": "To", "type": "Type", "walletAddress": "Wallet", "website": "Website",
	"metadata": "Metadata",
}

// partLabels are those of the parts of conditions, rewards and lists.
var partLabels = map[string]string{
	"amount": "amount", "csvUrl": "URL", "description": "text", "loyaltyBadgeId": "badge", "loyaltyBadgeIds": "badge",
	"loyaltyCurrencyId": "currency", "loyaltyCurrencyIds": "currency", "loyaltyRuleGroupIds": "group",
	"externalLink": "link", "loyaltyRuleGroupId": "group", "mediaLink": "picture", "pageMediaLink": "picture on the detail page",
	"title": "title", "website": "website", "websiteCollectionId": "collection",
	"loyaltyRuleIds": "rule", "mintingContractAssetId": "item", "multiplier": "multiplier", "quantity": "quantity",
	"repeatCount": "number of times", "requiredCount": "how many", "src": "URL",
}

// Of returns the label of the field that the path of a fault names. For an item of a list, it includes the place and,
// if it is known, the part of the item: "Origins, 2" or "Reward, 1, badge". A path without a label is written as words.
func (l Labels) Of(path string) string {
	if label, ok := l.find(path); ok {
		return label
	}
	if prefix, _, isList := strings.Cut(path, "-"); isList {
		// on the page of a rule's lists, the name of each field ends with the kind of its list
		if label, ok := l.find(prefix); ok {
			return label
		}
	}
	parts := strings.Split(path, ".")
	label, ok := l.find(parts[0])
	if !ok {
		return Sentence(parts[0])
	}
	if len(parts) > 1 {
		if place, err := strconv.Atoi(parts[1]); err == nil {
			label += ", " + strconv.Itoa(place+1)
			if len(parts) > 2 && partLabels[parts[2]] != "" {
				label += ", " + partLabels[parts[2]]
			}
			return label
		}
	}
	return label
}

func (l Labels) find(path string) (string, bool) {
	if label, ok := l[path]; ok {
		return label, true
	}
	label, ok := commonLabels[path]
	return label, ok
}

// faultField is the field that a fault is shown at: a list of values in one field is that field.
func faultField(path string) string {
	if strings.HasPrefix(path, "allowedOrigins.") {
		return "allowedOrigins"
	}
	return path
}
