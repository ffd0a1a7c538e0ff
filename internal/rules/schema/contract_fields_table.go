package schema

var (
	onlyContractEvent = []Type{TypeContractEvent}
	ofContracts       = []Type{TypeContractEvent, TypeFunction}
)

// contractFields say which event or call of a contract completes a rule.
var contractFields = []Field{
	{
		Path: "metadata.smartContract.contractId", Control: ControlIdentity, Label: "Contract", Section: ActionSection,
		Types: onlyContractEvent,
		Help:  "ID of a registered contract. Leave empty if a subscription tells of the events.",
	},
	{
		Path: "metadata.smartContract.type", Control: ControlSelect, Label: "What counts", Section: ActionSection,
		Types: onlyContractEvent, Options: []Option{
			{Value: "", Label: "Events (default)"}, {Value: "event", Label: "Events"}, {Value: "function", Label: "Calls of a function"},
		},
	},
	{
		Path: "metadata.smartContract.event", Control: ControlText, Label: "Event or function", Section: ActionSection,
		Types: onlyContractEvent,
		Help:  "Its name, or its full signature, such as Transfer(address,address,uint256).",
	},
	{
		Path: "metadata.smartContract.addressMapping", Control: ControlText, Label: "Member", Section: ActionSection,
		Types: onlyContractEvent,
		Help:  "The argument with the wallet of the member. Leave empty for the sender of the transaction.",
	},
	{
		Path: "metadata.smartContract.amountMultiplier.valueMapping", Control: ControlText, Label: "Multiply by",
		Section: ActionSection, Types: onlyContractEvent,
		Help: "An argument with a number. The reward is the amount below multiplied by it; amounts of a fungible token count " +
			"in whole tokens.",
	},
	{
		Path: "metadata.smartContract.params", Control: ControlRows, Label: "Conditions", Section: ActionSection,
		Types: onlyContractEvent,
		Help: "All of them must hold. Conditions are equals, not_equals, greater_than, greater_than_or_equal, less_than, " +
			"less_than_or_equal and contains.",
		Columns: []Field{
			{Path: "name", Control: ControlText, Label: "argument"}, {Path: "condition", Control: ControlText, Label: "condition"},
			{Path: "value", Control: ControlText, Label: "value"},
		},
	},
	{
		Path: "metadata.smartContract.criteria", Control: ControlSelect, Label: "Use the conditions", Section: ActionSection,
		Types: onlyContractEvent, More: true, Options: []Option{
			{Value: "", Label: "If there are some (default)"}, {Value: "byParameter", Label: "If there are some"},
			{Value: "everyEvent", Label: "Never: every event counts"},
		},
	},
	{
		Path: "metadata.onReorg", Control: ControlSelect, Label: "If a block leaves the chain", Section: RewardSection,
		Types: ofContracts, More: true, Options: []Option{
			{Value: "", Label: "Take the points back, as far as the balance goes (default)"},
			{Value: ReverseWithinBalance, Label: "Take the points back, as far as the balance goes"},
			{Value: ReverseAll, Label: "Take the points back, the rest from what the member earns later"},
			{Value: KeepPoints, Label: "Let the member keep the points"},
		},
	},
	{
		Path: "effectiveStartTime", Control: ControlMoment, Label: "Events count from", Section: TimingSection,
		Types: onlyContractEvent,
		Help:  "Events of blocks before this time don’t count. Leave empty for those since the rule was created.",
	},
	{
		Path: "effectiveEndTime", Control: ControlMoment, Label: "Events count until", Section: TimingSection,
		Types: onlyContractEvent, Help: "Events of blocks after this time don’t count.",
	},
}
