package dashboard

import (
	"strconv"
	"strings"
)

// fieldLabels are the labels of the fields of forms, beside those of rules, by the paths that faults are noted under.
var fieldLabels = map[string]string{
	// of the store
	"address": "Address of the contract", "auctionItems": "Item", "collectInfoType": "What buyers are asked for",
	"contractKind": "Kind", "extendedDurationInSeconds": "Extension, seconds", "externalLinkUrl": "Link",
	"item": "Item", "listingEndsAt": "Listed until", "listingStartsAt": "Listed from", "loyaltyBadgeIds": "Badges",
	"loyaltyCurrencyId": "Currency", "minBidAmount": "Lowest bid", "minBidIncrement": "Raised by at least",
	"mustOwnCollections": "Collections", "network": "Network", "perUserMintLimit": "Limit per member",
	"picture": "Picture", "price": "Price", "quantity": "Quantity", "reservePrice": "Reserve price",
	"royaltyFee": "Royalty, percent", "tokenId": "Token id", "tokenType": "Type of token",
	// of others
	"adjustADay": "Adjustments a day", "allowedOrigins": "Origins", "amount": "Amount", "at": "At",
	"apiAuthKey": "User or header", "apiAuthType": "Sign in by", "apiAuthValue": "Secret",
	"apiGetTransactionEntryUrl": "Address for entries", "apiGetUrl": "Address for balances",
	"apiPostUrl": "Address for changes", "callbackUrl": "Address", "cron": "Schedule", "endsAt": "Ends",
	"functionIds": "Functions", "maxEventsPerDay": "Events a day, at most", "startsAt": "Starts",
	"triggerId": "Trigger id", "chatServerUrl": "Chat server", "choice": "Choice", "code": "Code",
	"conditions": "Condition", "confirm": "Your password", "count": "How many more", "csvFiles": "List",
	"currency": "Currency", "decimals": "Decimals",
	"description": "Description", "direction": "Direction", "email": "E-mail", "entry": "Id of the entry",
	"expiresAt": "Expires", "file": "File", "from": "From", "homeUrl": "Home", "imageUrl": "Picture",
	"key": "The form", "loyaltyConditions": "Condition", "loyaltyRuleId": "Rule to lock",
	"operatorType": "It opens when",
	"messengerUrl": "Messenger", "microblogUsername": "Microblog account", "multiplier": "Times", "name": "Name",
	"note": "Note", "old": "Present password", "organization": "Organization", "password": "Password",
	"photoPlatformUsername": "Photo platform account", "pointsExpireAfterDays": "Points expire after",
	"pointsWaitHours": "Rewards wait", "questionText": "Question", "reason": "Reason", "rewards": "Reward", "role": "Role",
	"roleType": "Who calls with it", "sortId": "Place in lists", "subTitle": "Below the name", "symbol": "Symbol",
	"timeZone": "Time zone", "title": "Title", "to": "To", "trustClientUsers": "Browser keys may name any member",
	"type": "Type", "walletAddress": "Wallet", "website": "Website",
	"banner": "Banner", "carousel": "Carousel", "claimContractAddress": "Claim contract", "contractAddress": "Address",
	"contractId": "Token", "contractName": "Name of the token", "contractNetwork": "Network",
	"discoveryItems": "Discovery item", "durationEnd": "Shown until", "durationStart": "Shown from",
	"endTime": "Closes", "erc20Decimals": "Decimals", "filePath": "For", "geoBlock": "Blocked countries",
	"itemsGrids": "Grid place", "loyaltyRuleGroupId": "Group of rules", "maxBonus": "Greatest bonus",
	"metadata": "Metadata", "minLockup": "Least lock", "minLockupForMultiplier": "Lock for the multiplier",
	"minPercentageToStake": "Least to stake", "pageId": "Page", "pageSectionType": "Type", "placement": "Where",
	"relayerId": "Relayer", "stakingContractAddress": "Staking contract", "stakingContractType": "Type of staking",
	"startTime": "Opens",
	"tryAmount": "Amount that your server names", "tryAt": "As if it were", "tryValue": "Value",
}

// partLabels are those of the parts of conditions, rewards and lists.
var partLabels = map[string]string{
	"amount": "amount", "csvUrl": "address", "description": "text", "loyaltyBadgeId": "badge", "loyaltyBadgeIds": "badge",
	"loyaltyCurrencyId": "currency", "loyaltyCurrencyIds": "currency", "loyaltyRuleGroupIds": "group",
	"externalLink": "link", "loyaltyRuleGroupId": "group", "mediaLink": "picture", "pageMediaLink": "picture of its page",
	"title": "title", "website": "website", "websiteCollectionId": "collection",
	"loyaltyRuleIds": "rule", "mintingContractAssetId": "item", "multiplier": "times", "quantity": "quantity",
	"repeatCount": "times", "requiredCount": "how many", "src": "address",
}

// faultLabel names the field of a fault by its label, and by its place where it has several: "Origins, 2", "Reward, 1,
// badge".
func faultLabel(path string) string {
	if label, known := fieldLabels[path]; known {
		return label
	}
	if head, _, list := strings.Cut(path, "-"); list && fieldLabels[head] != "" { // each list has a field of its own
		return fieldLabels[head]
	}
	parts := strings.Split(path, ".")
	label, known := fieldLabels[parts[0]]
	if !known {
		return sentence(parts[0])
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
