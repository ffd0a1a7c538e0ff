package engagement

import "laurel.example/laurel"

// Bounds returns what the properties of a question accept (contract 3.18).
func (QuestionInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"questionText":           {"minLength": 1, "maxLength": maxQuestion},
		"loyaltyQuestionAnswers": {"minItems": minChoices, "maxItems": maxChoices},
	}}
}

// Bounds returns what the properties of a choice accept.
func (ChoiceInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"text": {"minLength": 1, "maxLength": maxChoice}}}
}
