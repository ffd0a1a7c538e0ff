package web

import (
	"strconv"
	"strings"
)

// fieldLabels are the labels of form fields by the paths of their faults. Those of rules are in package schema.
var fieldLabels = map[string]string{
	// of the store
	"address": "Contract address", "auctionItems": "Item", "collectInfoType": "Information to ask for",
	"contractKind": "Where items are minted", "extendedDurationInSeconds": "Extension, seconds", "externalLinkUrl": "Link",
	"item": "Item", "listingEndsAt": "Listed until", "listingStartsAt": "Listed from", "loyaltyBadgeIds": "Badges",
	"loyaltyCurrencyId": "Currency", "minBidAmount": "Lowest bid", "minBidIncrement": "Minimum increase",
	"mustOwnCollections": "Collections", "network": "Network", "perUserMintLimit": "Limit per member",
	"picture": "Picture", "price": "Price", "quantity": "Quantity", "reservePrice": "Reserve price",
	"royaltyFee": "Royalty, percent", "tokenId": "Token ID", "tokenType": "Token type",
	// of others
	"adjustADay": "Adjustments per day", "allowedOrigins": "Allowed origins", "amount": "Amount", "at": "At",
	"apiAuthKey": "User name or header name", "apiAuthType": "Authentication", "apiAuthValue": "Secret",
	"apiGetTransactionEntryUrl": "URL for entries", "apiGetUrl": "URL for balances",
	"apiPostUrl": "URL for changes", "callbackUrl": "URL", "cron": "Schedule", "endsAt": "Ends",
	"functionIds": "Functions", "maxEventsPerDay": "Maximum events per day", "startsAt": "Starts",
	"triggerId": "Trigger ID", "chatServerUrl": "Chat server", "choice": "Choice", "code": "Code",
	"conditions": "Condition", "confirm": "Your password", "count": "Number of codes", "csvFiles": "List",
	"currency": "Currency", "decimals": "Decimals",
	"description": "Description", "direction": "Direction", "email": "E-mail", "entry": "Entry ID",
	"expiresAt": "Expires", "file": "File", "from": "From", "homeUrl": "Home page", "imageUrl": "Picture",
	"key": "The form", "loyaltyConditions": "Condition", "loyaltyRuleId": "Rule to lock",
	"operatorType": "Unlock the rule when",
	"messengerUrl": "Messenger", "microblogUsername": "Microblog account", "multiplier": "Multiplier", "name": "Name",
	"note": "Note", "old": "Current password", "organization": "Organization", "password": "Password",
	"photoPlatformUsername": "Photo platform account", "pointsExpireAfterDays": "Points expire after",
	"pointsWaitHours": "Rewards stay pending for", "questionText": "Question", "reason": "Reason", "rewards": "Reward", "role": "Role",
	"roleType": "Where the key is used", "sortId": "Position in lists", "subTitle": "Subtitle", "symbol": "Symbol",
	"timeZone": "Time zone", "title": "Title", "to": "To",
	"trustClientUsers": "Let browser keys act on behalf of any member",
	"type":             "Type", "walletAddress": "Wallet", "website": "Website",
	"banner": "Banner", "carousel": "Carousel", "claimContractAddress": "Claim contract", "contractAddress": "Address",
	"contractId": "Token", "contractName": "Token name", "contractNetwork": "Network",
	"discoveryItems": "Card", "durationEnd": "Shown until", "durationStart": "Shown from",
	"endTime": "Closes", "erc20Decimals": "Decimals", "filePath": "Use for", "geoBlock": "Blocked countries",
	"itemsGrids": "Grid item", "loyaltyRuleGroupId": "Rule group", "maxBonus": "Maximum bonus",
	"metadata": "Metadata", "minLockup": "Minimum lock period",
	"minLockupForMultiplier": "Minimum lock period for the multiplier",
	"minPercentageToStake":   "Minimum stake", "pageId": "Page", "pageSectionType": "Type", "placement": "Placement",
	"relayerId": "Relayer", "stakingContractAddress": "Staking contract", "stakingContractType": "Staking type",
	"startTime": "Opens",
	"tryAmount": "Amount sent by your server", "tryAt": "Date and time", "tryValue": "Value",
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

// FaultLabel returns the label of the field that the path of a fault names. For an item of a list, it includes the
// place and, if it is known, the part of the item: "Origins, 2" or "Reward, 1, badge". A path without a label is
// written as words.
func FaultLabel(path string) string {
	if label, ok := fieldLabels[path]; ok {
		return label
	}
	if prefix, _, isList := strings.Cut(path, "-"); isList && fieldLabels[prefix] != "" {
		// on the page of a rule's lists, the name of each field ends with the kind of its list
		return fieldLabels[prefix]
	}
	parts := strings.Split(path, ".")
	label, ok := fieldLabels[parts[0]]
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

// faultField is the field that a fault is shown at: a list of values in one field is that field.
func faultField(path string) string {
	if strings.HasPrefix(path, "allowedOrigins.") {
		return "allowedOrigins"
	}
	return path
}
