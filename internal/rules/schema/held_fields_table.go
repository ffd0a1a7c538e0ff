package schema

import "slices"

// The rule types about what members hold, which fields refer to.
var (
	holdTypes = []Type{TypeTokenHold, TypeTokenHoldERC20, TypeSnapshotHold, TypeSnapshotFullSet}
	unitTypes = []Type{TypeTokenHold, TypeTokenHoldERC20, TypeSnapshotHold}
	onlyERC20 = []Type{TypeTokenHoldERC20}
)

// The rule types about tokens, of which some are about what members did with them.
var (
	saleTypes    = []Type{TypeBought, TypeSold, TypeBoughtWithRoyalties, TypeSoldWithRoyalties}
	royaltyTypes = []Type{TypeBoughtWithRoyalties, TypeSoldWithRoyalties}
	historyTypes = slices.Concat(saleTypes, []Type{TypeMinted, TypeLodging})
	pastTypes    = slices.Concat(historyTypes, []Type{TypeListing, TypeSwap})
	tokenTypes   = slices.Concat(holdTypes, historyTypes)
	countTypes   = slices.Concat(unitTypes, historyTypes)
)

// heldFields say what members hold.
var heldFields = []Field{
	{
		Path: "metadata.erc20Type", Control: ControlSelect, Label: "Token", Section: ActionSection, Types: onlyERC20,
		Options: []Option{
			{Value: "", Label: "A token of a contract (default)"}, {Value: "erc20", Label: "A token of a contract"},
			{Value: "native", Label: "The coin of the network"},
		},
	},
	{
		Path: "collections", Control: ControlRows, Label: "Contracts", Section: ActionSection, Types: tokenTypes,
		Help: "The smart contracts whose tokens count, and the network of each, such as mainnet or polygon.",
		Columns: []Field{
			{Path: "address", Control: ControlText, Label: "address"}, {Path: "network", Control: ControlText, Label: "network"},
		},
	},
	{
		Path: "network", Control: ControlText, Label: "Network", Section: ActionSection, Types: onlyERC20,
		Help: "The network whose coin counts, such as mainnet or polygon. Contracts have networks of their own.",
	},
	{
		Path: "metadata.rewardPerAction", Control: ControlCheckbox, Label: "Multiply by the number of tokens",
		Section: ActionSection, Types: countTypes,
		Help: "The reward is the amount below multiplied by how many tokens count.",
	},
	{
		Path: "metadata.collection", Control: ControlRows, Label: "Multipliers", Section: ActionSection, Types: countTypes,
		More: true,
		Help: "How much each token of a contract counts. With multipliers, the reward is the amount below for each token.",
		Columns: []Field{
			{Path: "address", Control: ControlText, Label: "address"}, {Path: "network", Control: ControlText, Label: "network"},
			{Path: "multiplier", Control: ControlDecimal, Label: "multiplier"},
		},
	},
	{
		Path: "metadata.rewardByBatch", Control: ControlCheckbox, Label: "Pay per batch", Section: ActionSection,
		Types: unitTypes, More: true, Help: "The reward is the amount below for each full batch that the member holds.",
	},
	{
		Path: "metadata.batchSize", Control: ControlDecimal, Label: "Batch size", Unit: "tokens", Section: ActionSection,
		Types: unitTypes, More: true, Help: "How many tokens are a batch. Leave empty for 1.",
	},
	{
		Path: "metadata.onlyRewardSingleTokenOwnership", Control: ControlCheckbox, Label: "Count one token per contract",
		Section: ActionSection, Types: []Type{TypeTokenHold, TypeSnapshotHold}, More: true,
		Help: "Further tokens of the same contract don’t count.",
	},
	{
		Path: "metadata.hasNeverSold", Control: ControlCheckbox, Label: "Only who has never sold one", Section: ActionSection,
		Types: []Type{TypeTokenHold, TypeSnapshotHold, TypeSnapshotFullSet}, More: true,
		Help: "Members who have sold a token of these contracts, on a market that your server’s operator has set up, get nothing.",
	},
}
