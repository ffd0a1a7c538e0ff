package schema

// historyFields say what members did on blockchains.
var historyFields = []Field{
	{
		Path: "network", Control: ControlText, Label: "Network", Section: ActionSection, Types: saleTypes,
		Help: "Without contracts above, sales of every collection of this network count, such as mainnet or polygon.",
	},
	{
		Path: "metadata.fillSource", Control: ControlText, Label: "Market", Section: ActionSection, Types: saleTypes,
		Help: "Name of the market whose sales count, as your server’s operator has set it up. Leave empty for all markets.",
	},
	{
		Path: "metadata.fillSource", Control: ControlText, Label: "Market", Section: ActionSection,
		Types: []Type{TypeListing},
		Help:  "Name of the market whose listings count, as your server’s operator has set it up. Leave empty for all markets.",
	},
	{
		Path: "collections", Control: ControlRows, Label: "Contracts", Section: ActionSection, Types: []Type{TypeListing},
		Help: "The smart contracts whose tokens count, and the network of each. Leave empty for all of the network.",
		Columns: []Field{
			{Path: "address", Control: ControlText, Label: "address"}, {Path: "network", Control: ControlText, Label: "network"},
		},
	},
	{
		Path: "metadata.saleCurrency", Control: ControlText, Label: "Currency of the sale", Section: ActionSection,
		Types: saleTypes,
		Help:  "Address of the token that sales must be paid in, or native for the coin of the network. Leave empty for any.",
	},
	{
		Path: "metadata.onlyNative", Control: ControlCheckbox, Label: "Only sales in the network’s coin",
		Section: ActionSection, Types: saleTypes, More: true, Help: "Sales in tokens don’t count.",
	},
	{
		Path: "metadata.rewardPerValue", Control: ControlCheckbox, Label: "Multiply by the price", Section: ActionSection,
		Types: saleTypes,
		Help: "The reward is the amount below for each unit of the currency. Name the currency above: anyone can create a " +
			"token of their own and sell to themselves for it.",
	},
	{
		Path: "metadata.royaltyPercentage", Control: ControlDecimal, Label: "Royalty", Unit: "percent", Section: ActionSection,
		Types: royaltyTypes,
		Help:  "The part of the price that must be paid as a royalty. Leave empty for the royalty fee of the collection.",
	},
	{
		Path: "metadata.royaltyAddress", Control: ControlText, Label: "Receiver of the royalty", Section: ActionSection,
		Types: royaltyTypes, Help: "Leave empty for the address of the collection.",
	},
	{
		Path: "effectiveStartTime", Control: ControlMoment, Label: "Counts from", Section: TimingSection, Types: pastTypes,
		Help: "What members did before doesn’t count. Leave empty for the start of the rule; deposits and listings count " +
			"from the beginning then.",
	},
	{
		Path: "effectiveEndTime", Control: ControlMoment, Label: "Counts until", Section: TimingSection, Types: pastTypes,
		Help: "What members do later doesn’t count.",
	},
}
