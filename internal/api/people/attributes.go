package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity/attributes"
)

// userAttribute is contract 3.7.
type userAttribute struct{ attributes.Attribute }

// shapeAttribute returns an attribute as responses show it.
func shapeAttribute(a attributes.Attribute) userAttribute { return userAttribute{a} }

// userAttributeValue is contract 3.7.
type userAttributeValue struct {
	attributes.Value
	CustomFieldID laurel.ID `json:"customFieldId" doc:"The same as websiteUserAttributeId"`
}

// shapeValue returns a value as responses show it.
func shapeValue(v attributes.Value) userAttributeValue { return userAttributeValue{v, v.AttributeID} }

// labeledAttribute is an attribute of a user with its values (contract 3.4).
type labeledAttribute struct {
	ID     laurel.ID    `json:"id"`
	Label  string       `json:"label"`
	Values []shortValue `json:"websiteUserAttributeValues"`
}

// shortValue is a value of a user in its record.
type shortValue struct {
	ID          laurel.ID `json:"id"`
	UserID      laurel.ID `json:"userId"`
	Value       string    `json:"value"`
	AttributeID laurel.ID `json:"websiteUserAttributeId"`
}

// shapeLabeled returns the attributes of a user as its record shows them.
func shapeLabeled(list []attributes.Labeled) []labeledAttribute {
	out := make([]labeledAttribute, len(list))
	for i, a := range list {
		out[i] = labeledAttribute{ID: a.ID, Label: a.Label}
		for _, v := range a.Values {
			out[i].Values = append(out[i].Values, shortValue{v.ID, v.UserID, v.Value, v.AttributeID})
		}
	}
	return out
}

// listAttributes returns a page of the attributes of users.
func (h *handlers) listAttributes(ctx context.Context, in *rest.Paging) (*rest.Page[userAttribute], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Attributes.List(ctx, scope, in.Page())
	return rest.ListOf(page, err, shapeAttribute)
}

// attributesBody is a list of attributes.
type attributesBody struct {
	rest.TenantBody
	Data []attributes.Item `json:"data"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (attributesBody) Bounds() laurel.Bounds { return itemsBounds() }

// itemsBounds returns the bounds of data, the items that a body writes.
func itemsBounds() laurel.Bounds {
	return laurel.Bounds{
		NotNull:  []string{"data"},
		Keywords: map[string]laurel.Keywords{"data": {"minItems": 1, "maxItems": attributes.MaxItems}},
	}
}

type writeAttributesInput struct {
	Body attributesBody
}

// writeAttributes creates attributes of users, or changes those with an id.
func (h *handlers) writeAttributes(
	ctx context.Context, in *writeAttributesInput,
) (*rest.Page[userAttribute], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	list, err := h.Attributes.Write(ctx, scope, in.Body.Data)
	return rest.ListOf(laurel.Page[attributes.Attribute]{Data: list}, err, shapeAttribute)
}

// successOf returns the response that says only that a record was changed.
func successOf[R any](R) success { return success{"Success"} }

type deleteAttributeInput struct {
	Body struct {
		rest.TenantBody
		ID laurel.ID `json:"id"`
	}
}

// deleteNamedAttribute deletes the attribute that the body names.
func (h *handlers) deleteNamedAttribute(
	ctx context.Context, in *deleteAttributeInput,
) (*rest.Response[success], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	a, err := h.Attributes.Delete(ctx, scope, in.Body.ID)
	return rest.ResponseOf(a, err, successOf)
}

type listValuesInput struct {
	rest.Paging
	UserIDs rest.IDs `query:"userIds" required:"true"`
}

// listValues returns a page of the values of users.
func (h *handlers) listValues(ctx context.Context, in *listValuesInput) (*rest.Page[userAttributeValue], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Attributes.ListValues(ctx, scope, in.UserIDs.Values, in.Page())
	return rest.ListOf(page, err, shapeValue)
}

// valuesBody is a list of values.
type valuesBody struct {
	rest.TenantBody
	Data []attributes.ValueItem `json:"data"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (valuesBody) Bounds() laurel.Bounds { return itemsBounds() }

type writeValuesInput struct {
	Body valuesBody
}

// writeValues sets values of users.
func (h *handlers) writeValues(
	ctx context.Context, in *writeValuesInput,
) (*rest.Response[[]userAttributeValue], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	list, err := h.Attributes.WriteValues(ctx, scope, in.Body.Data)
	return rest.ResponseOf(list, err, func(list []attributes.Value) []userAttributeValue {
		return laurel.MapPage(laurel.Page[attributes.Value]{Data: list}, shapeValue).Data
	})
}

// attributeOperations returns the operations on attributes of users.
func (h *handlers) attributeOperations(o *Operations) {
	getAttribute := caller.ByID(h.Caller, h.Attributes.Get, caller.Shaped(shapeAttribute))
	o.ListAttributes = rest.Handle(h.listAttributes, rest.Note("Newest first."))
	o.GetAttribute = rest.Handle(getAttribute, rest.Note("A live attribute."))
	o.WriteAttributes = rest.Handle(h.writeAttributes,
		rest.Note("All or none. An item with id changes that attribute; one without id creates an attribute, unless there is one with the label."),
		rest.Example(`{"data":[{"label":"Shirt size"}]}`),
	)
	updateAttribute := caller.Update(h.Caller, h.Attributes.Update, caller.Shaped(shapeAttribute))
	o.UpdateAttribute = rest.Handle(updateAttribute, rest.IfMatch(getAttribute), rest.Note("Its values stay."),
		rest.Example(`{"label":"Size of shirts"}`),
	)
	deleteAttribute := caller.ByID(h.Caller, h.Attributes.Delete, caller.Shaped(successOf[attributes.Attribute]))
	o.DeleteAttribute = rest.Handle(deleteAttribute, rest.IfMatch(getAttribute),
		rest.Note("Its values are no longer shown, and its label is free."),
	)
	o.DeleteNamedAttribute = rest.Handle(h.deleteNamedAttribute,
		rest.Note("As with the id in the path."), rest.Example(`{"id":`+rest.ExampleID+`}`),
	)
	o.ListAttributeValues = rest.Handle(h.listValues, rest.Note("Newest first."))
	o.GetAttributeValue = rest.Handle(caller.ByID(h.Caller, h.Attributes.GetValue, caller.Shaped(shapeValue)),
		rest.Note("A value of a live attribute."))
	o.WriteAttributeValues = rest.Handle(h.writeValues,
		rest.Note("A bare array, in the order of data: all or none. A user has one value of an attribute: one that is written again is replaced."),
		rest.Example(`{"data":[{"userId":`+rest.ExampleID+`,"websiteUserAttributeId":`+rest.ExampleID+`,"value":"M"}]}`),
	)
}
