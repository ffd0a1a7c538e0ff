package schema

var liquidityTypes = []Type{TypeLiquidityV2, TypeLiquidityV3}

// liquidityFields say which pools count, and what is paid for what members have put into them.
var liquidityFields = []Field{
	{
		Path: "metadata.liquidity.network", Control: ControlText, Label: "Network", Section: ActionSection,
		Types: liquidityTypes, Help: "The network of the pools, such as mainnet or polygon.",
	},
	{
		Path: "metadata.liquidity.pools", Control: ControlRows, Label: "Pools", Section: ActionSection, Types: liquidityTypes,
		Help: "Up to five pools. One token of each must be one that your server’s operator has named as worth a dollar.",
		Columns: []Field{
			{Path: "id", Control: ControlText, Label: "address"},
		},
	},
	{
		Path: "metadata.liquidity.onlyRewardInRangeLiquidity", Control: ControlCheckbox,
		Label: "Count only positions in range", Section: ActionSection, Types: []Type{TypeLiquidityV3},
		Help: "Positions don’t count while the price is outside their range.",
	},
	{
		Path: "metadata.liquidity.calculationType", Control: ControlSelect, Label: "Calculation", Section: RewardSection,
		Types: liquidityTypes, Options: []Option{
			{Value: "", Label: "In proportion to the dollars (default)"},
			{Value: CalculationFixed, Label: "In proportion to the dollars"}, {Value: CalculationCustom, Label: "By a formula"},
		},
		Help: "Each run pays once for what is in the pools then.",
	},
	{
		Path: "metadata.liquidity.liquidityPerDay", Control: ControlDecimal, Label: "Dollars per amount", Unit: "dollars",
		Section: RewardSection, Types: liquidityTypes,
		Help: "Members get the amount below for so many dollars: with 100, someone with 250 gets 2.5 times the amount.",
	},
	{
		Path: "metadata.liquidity.customFunction", Control: ControlText, Label: "Formula", Section: RewardSection,
		Types: liquidityTypes, More: true,
		Help: "What members get for X dollars, such as min(10 * sqrt(X), 500). You can use + - * / ^ ( ) min max sqrt log.",
	},
}
