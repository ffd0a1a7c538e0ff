package content

import (
	"encoding/json"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/jsontext"
	"laurel.example/laurel/internal/rules/catalog"
)

var blockRoutes = []route{
	web.Get("/pages/blocks/new", admins.ChangeProgram, "pages", newBlockPage),
	web.Post("/pages/blocks", admins.ChangeProgram, "pages",
		"created a block on the loyalty page", web.Idempotent(createBlock)),
	web.Get("/pages/blocks/{block}", admins.ChangeProgram, "pages", blockPage),
	web.Post("/pages/blocks/{block}", admins.ChangeProgram, "pages",
		"changed a block on the loyalty page", saveBlock),
	web.Post("/pages/blocks/{block}/move", admins.ChangeProgram, "pages",
		"reordered the blocks on the loyalty page", moveBlock),
	web.Get("/pages/blocks/{block}/delete", admins.ChangeProgram, "pages", confirmDeleteBlock),
	web.Post("/pages/blocks/{block}/delete", admins.ChangeProgram, "pages",
		"deleted a block on the loyalty page", deleteBlock),
}

// pageBlockForm is the form of a block of the loyalty page.
type pageBlockForm struct {
	form.State
	Block  layout.Block // without id: a new one
	Groups []web.Choice
}

// New reports whether the block is not made yet.
func (f *pageBlockForm) New() bool { return f.Block.ID.IsZero() }

// Name returns the name of the block.
func (f *pageBlockForm) Name() string { return blockName(f.Block) }

// blockName returns the title of a block, else its type.
func blockName(b layout.Block) string {
	if b.Title != nil && strings.TrimSpace(*b.Title) != "" {
		return *b.Title
	}
	return b.Type
}

// blockTable has the properties of a block.
var blockTable = form.NewTable[layout.Block, layout.BlockInput](form.Fields(
	"type", "Type", "title", "Title", "subTitle", "Subtitle", "isHidden", "Hidden",
	"loyaltyRuleGroupId", "Rule group", "metadata", "Metadata",
), form.ByHand("metadata"))

// pageBlockTexts returns a block of the loyalty page as the inputs of its form hold it.
func pageBlockTexts(block layout.Block) map[string]string {
	out := blockTable.Saved(block)
	out["metadata"] = string(block.Metadata)
	if out["metadata"] == "{}" {
		out["metadata"] = ""
	}
	return out
}

// readBlocks reads the blocks of the loyalty page into d, and a preview of those that are not hidden.
func (c *call) readBlocks(d *pagesData) error {
	visibleOnly := false
	list, err := c.Pages.Blocks(
		c.Context(), c.Scope.At(c.Site.ID), visibleOnly, laurel.PageRequest{Limit: layout.MaxSectionsPerPlace})
	if err != nil {
		return err
	}
	d.Blocks = list.Data
	groups, err := c.ListGroups()
	if err != nil {
		return err
	}
	groupsByID := map[laurel.ID]catalog.Group{}
	for _, group := range groups {
		groupsByID[group.ID] = group
	}
	for _, block := range d.Blocks {
		if !block.Hidden {
			d.Preview = append(d.Preview, blockPreview(block, groupsByID))
		}
	}
	return nil
}

// getPageBlock returns the block of the path.
func (c *call) getPageBlock() (layout.Block, error) {
	id, err := c.PathID("block", "Website page section")
	if err != nil {
		return layout.Block{}, err
	}
	return c.Pages.Block(c.Context(), c.Scope.At(c.Site.ID), false, id)
}

// buildPageBlockForm returns the form of a block with its saved values; of a new block if it has no id.
func (c *call) buildPageBlockForm(block layout.Block) (*pageBlockForm, error) {
	f := &pageBlockForm{Block: block}
	f.Input = pageBlockTexts(block)
	f.BaseVersion = form.VersionOf(f.Input)
	var err error
	f.Groups, err = c.groupChoices()
	return f, err
}

// groupChoices returns the groups of rules as choices.
func (c *call) groupChoices() ([]web.Choice, error) {
	names, err := c.ReadNames()
	if err != nil {
		return nil, err
	}
	return groupChoicesOf(names), nil
}

// groupChoicesOf returns the groups of rules in names as choices.
func groupChoicesOf(names *parts.Names) []web.Choice {
	var out []web.Choice
	for _, g := range names.Groups {
		out = append(out, web.Choice{Value: g.ID.String(), Label: g.Name})
	}
	return out
}

// readPosted reads the posted form into f, trimmed and with "\n" at the ends of lines.
func (f *pageBlockForm) readPosted(c *call) {
	f.Input = blockTable.Typed(c.PostForm)
}

// serviceInput returns the block of the form as the service is to save it. Empty fields are cleared.
func (f *pageBlockForm) serviceInput() layout.BlockInput {
	in := blockTable.Input(form.Changes{Typed: f.Input})
	in.Metadata = laurel.Some(json.RawMessage("{}"))
	if f.Input["metadata"] != "" {
		in.Metadata = laurel.Some(json.RawMessage(jsontext.ReplaceUnstorable([]byte(f.Input["metadata"]))))
	}
	return in
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. The service names
// fields by a path such as "websitePageSections.3.type"; its last part is the field. Any other error is returned.
func (f *pageBlockForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "block-form", title, func(refusal web.Refusal) any {
		f.Faults, f.Error = map[string]string{}, refusal.Error
		for path, fault := range refusal.Faults {
			if parts := strings.SplitN(path, ".", 3); len(parts) == 3 {
				f.Faults[parts[2]] = fault
			}
		}
		return f
	})
}

// newBlockPage shows the form of a new block.
func newBlockPage(c *call) (web.View, error) {
	f, err := c.buildPageBlockForm(layout.Block{})
	if err != nil {
		return web.View{}, err
	}
	return web.Show("block-form", "New block", f)
}

// createBlock adds a block to the end of the loyalty page. A refused form is shown again.
func createBlock(c *call) (web.View, error) {
	f, err := c.buildPageBlockForm(layout.Block{})
	if err != nil {
		return web.View{}, err
	}
	f.readPosted(c)
	made, err := c.Pages.AddBlock(c.Context(), c.Scope.At(c.Site.ID), f.serviceInput())
	if err != nil {
		return f.showRefused(c, err, "New block")
	}
	return c.Redirect(c.SitePath("pages"), "Block "+blockName(made)+" added at the end of the page.")
}

// blockPage shows the form of a block of the loyalty page.
func blockPage(c *call) (web.View, error) {
	b, err := c.getPageBlock()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildPageBlockForm(b)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("block-form", f.Name()+", block", f)
}

// saveBlock saves a block. If someone else has saved other values since the form was opened, nothing is written and the
// conflicts are shown.
func saveBlock(c *call) (web.View, error) {
	block, err := c.getPageBlock()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildPageBlockForm(block)
	if err != nil {
		return web.View{}, err
	}
	title, saved := f.Name()+", block", f.Input
	f.readPosted(c)
	if f.FindConflicts(c.PostForm, saved, f.Input, blockTable.Fields) {
		return web.Refused("block-form", title, f), nil
	}
	scope := c.Scope.IfUnchanged(block.ID, block.UpdatedAt.Time)
	if err := c.Pages.UpdateBlock(c.Context(), scope, block.ID, f.serviceInput()); err != nil {
		return f.showRefused(c, err, title)
	}
	return c.Redirect(c.SitePath("pages"), "Block saved.")
}

// moveBlock moves a block up or down by one place. If the admin has dragged the blocks instead, the form has their
// whole new order. It is saved unless someone else has changed the order meanwhile.
func moveBlock(c *call) (web.View, error) {
	block, err := c.getPageBlock()
	if err != nil {
		return web.View{}, err
	}
	scope := c.Scope.At(c.Site.ID)
	if c.PostForm.Has("order") {
		err = c.Pages.OrderBlocks(c.Context(), scope, form.ParseIDs(c.PostFormValue("was")), form.ParseIDs(c.PostFormValue("order")))
		if web.AsRefusal(err) != nil {
			ofSections := false
			return c.showOrderRefused(err, ofSections, "")
		}
		if err != nil {
			return web.View{}, err
		}
		return c.Redirect(c.SitePath("pages"), "Order saved.")
	}
	if err := c.Pages.MoveBlock(c.Context(), scope, block.ID, c.moveDirection() == "up"); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("pages", "?moved="+block.ID.String()+"&to="+c.moveDirection()), "Order saved.")
}

// confirmDeleteBlock shows the page that asks before a block is deleted.
func confirmDeleteBlock(c *call) (web.View, error) {
	b, err := c.getPageBlock()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("block-delete", "Delete "+blockName(b)+"?", b)
}

// deleteBlock deletes a block of the loyalty page.
func deleteBlock(c *call) (web.View, error) {
	b, err := c.getPageBlock()
	if err == nil {
		err = c.Pages.RemoveBlock(c.Context(), c.Scope.At(c.Site.ID), b.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("pages"), "Block "+blockName(b)+" deleted.")
}
