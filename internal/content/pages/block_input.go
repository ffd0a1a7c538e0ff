package pages

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
)

// blocksPath is the property of a request that holds its blocks, for the paths of faults.
const blocksPath = "websitePageSections"

// BlockInput is a block as a caller writes it. An absent property leaves that of an existing block unchanged, except
// sortId.
type BlockInput struct {
	ID       laurel.Optional[laurel.ID]       `json:"id,omitzero" doc:"The id of an existing block; absent: a new block"`
	Type     laurel.Optional[string]          `json:"type,omitzero" doc:"A name of your own, such as hero or leaderboard"`
	Title    laurel.Optional[string]          `json:"title,omitzero"`
	SubTitle laurel.Optional[string]          `json:"subTitle,omitzero"`
	Hidden   laurel.Optional[bool]            `json:"isHidden,omitzero" doc:"true: client keys do not see it"`
	SortID   laurel.Optional[int64]           `json:"sortId,omitzero" doc:"Default: its place in the list, from 0"`
	GroupID  laurel.Optional[laurel.ID]       `json:"loyaltyRuleGroupId,omitzero"`
	Metadata laurel.Optional[json.RawMessage] `json:"metadata,omitzero"`
}

// Creates marks that the required properties of a new block are required of every block in a list.
func (BlockInput) Creates() {}

// Bounds returns the limits of the properties, for validation and the OpenAPI document.
func (BlockInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"type"}, NotNull: []string{"type", "isHidden", "sortId", "metadata"},
		Keywords: map[string]laurel.Keywords{
			"type":     {"minLength": 1, "maxLength": maxType},
			"title":    {"maxLength": maxName},
			"subTitle": {"maxLength": maxName},
			"metadata": {"type": "object", "additionalProperties": true},
		},
	}
}

// UnchangedBlock returns the input that leaves a block unchanged. Its sortId becomes its index in the list.
func UnchangedBlock(b Block) BlockInput {
	return BlockInput{ID: laurel.Some(b.ID), Type: laurel.Some(b.Type)}
}

// apply checks the input of the i-th block and writes it into b; it adds what is invalid to f.
func (in BlockInput) apply(f *laurel.Faults, i int, b *Block) {
	f.Text(itemPath(blocksPath, i, "type"), in.Type.Value, 1, maxType)
	b.Type = in.Type.Value
	laurel.AssignText(f, itemPath(blocksPath, i, "title"), in.Title, maxName, &b.Title)
	laurel.AssignText(f, itemPath(blocksPath, i, "subTitle"), in.SubTitle, maxName, &b.SubTitle)
	laurel.Assign(f, itemPath(blocksPath, i, "isHidden"), in.Hidden, "a boolean", &b.Hidden)
	b.SortID = int64(i)
	laurel.Assign(f, itemPath(blocksPath, i, "sortId"), in.SortID, "an integer", &b.SortID)
	if in.GroupID.Set {
		b.GroupID = laurel.NullableID(in.GroupID.Value)
	}
	if in.Metadata.Set {
		path := itemPath(blocksPath, i, "metadata")
		budget.CheckJSON(f, path, in.Metadata.Value, budget.Metadata)
		var properties map[string]json.RawMessage
		if err := json.Unmarshal(in.Metadata.Value, &properties); in.Metadata.Null || err != nil || properties == nil {
			f.Add(path, "must be an object")
		}
		b.Metadata = laurel.Object(in.Metadata.Value)
	}
}
