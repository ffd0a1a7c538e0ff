package schema

// dappTypes are the rule types that rank contracts.
var dappTypes = []Type{TypeGasSpent, TypeTransactionCount, TypeActiveUsers, TypeNewUsers, TypeUserRetention}

// dappFields say which contracts are ranked, and by how much time.
var dappFields = []Field{
	{
		Path: "network", Control: ControlText, Label: "Network", Section: ActionSection, Types: dappTypes,
		Help: "The network of the contracts, such as mainnet or polygon.",
	},
	{
		Path: "contractIds", Control: ControlIds, Label: "Contracts", Section: ActionSection, Types: dappTypes,
		Help: "The IDs of the contracts that are ranked. Leave empty to rank all contracts of this network.",
	},
	{
		Path: "dappDataWindow", Control: ControlSelect, Label: "Count transactions of", Section: ActionSection,
		Types: dappTypes, Options: []Option{
			{Value: "", Label: "all time (default)"}, {Value: "daily", Label: "the last day"},
			{Value: "weekly", Label: "the last 7 days"}, {Value: "monthly", Label: "the last 30 days"},
		},
		Help: "Apps are ranked by their transactions in this time before each run.",
	},
	{
		Path: "dappDeployedWithin", Control: ControlSelect, Label: "Only apps deployed within", Section: ActionSection,
		Types: dappTypes, Options: []Option{
			{Value: "", Label: "any time (default)"}, {Value: "daily", Label: "the last day"},
			{Value: "weekly", Label: "the last 7 days"}, {Value: "monthly", Label: "the last 30 days"},
		},
		Help: "Older apps are left out before the others are ranked.",
	},
}
