package schema

var onlySwap = []Type{TypeSwap}

// swapFields say which swaps count, and what is measured of them.
var swapFields = []Field{
	{
		Path: "metadata.swap.from.tokens", Control: ControlRows, Label: "Tokens given", Section: ActionSection,
		Types: onlySwap,
		Help:  "Members swap one of these. Leave empty for any token.", Columns: swapColumns,
	},
	{
		Path: "metadata.swap.to.tokens", Control: ControlRows, Label: "Tokens received", Section: ActionSection,
		Types: onlySwap,
		Help:  "Members get one of these for it. Leave empty for any token.", Columns: swapColumns,
	},
	{
		Path: "metadata.swap.from.trackAmount", Control: ControlCheckbox, Label: "Measure the amount given",
		Section: ActionSection, Types: onlySwap,
		Help: "Ranges are of the amount of the token given, of which there must be one. Otherwise they are of dollars.",
	},
	{
		Path: "metadata.swap.to.trackAmount", Control: ControlCheckbox, Label: "Measure the amount received",
		Section: ActionSection, Types: onlySwap,
		Help: "Ranges are of the amount of the token received, of which there must be one. Otherwise they are of dollars.",
	},
	{
		Path: "metadata.swap.from.chain", Control: ControlText, Label: "Chain of the tokens given", Section: ActionSection,
		Types: onlySwap, More: true, Help: "Its ID, such as 137. Leave empty for any.",
	},
	{
		Path: "metadata.swap.to.chain", Control: ControlText, Label: "Chain of the tokens received", Section: ActionSection,
		Types: onlySwap, More: true, Help: "Its ID, such as 137. Leave empty for any.",
	},
	{
		Path: "metadata.swap.from.mode", Control: ControlSelect, Label: "Which tokens are given", Section: ActionSection,
		Types: onlySwap, More: true, Options: swapModes,
	},
	{
		Path: "metadata.swap.to.mode", Control: ControlSelect, Label: "Which tokens are received", Section: ActionSection,
		Types: onlySwap, More: true, Options: swapModes,
	},
	{
		Path: "metadata.swap.requireCrossChainSwap", Control: ControlCheckbox, Label: "Only from one chain to another",
		Section: ActionSection, Types: onlySwap, More: true,
		Help: "Laurel can’t see such swaps itself. Your server’s operator must set up a partner for them.",
	},
}

var swapColumns = []Field{
	{Path: "address", Control: ControlText, Label: "address"}, {Path: "chainId", Control: ControlText, Label: "chain ID"},
}

var swapModes = []Option{
	{Value: "", Label: "Those above, if there are some (default)"},
	{Value: SwapSpecific, Label: "Those above, if there are some"}, {Value: SwapAny, Label: "Any"},
}
