package main

import (
	"context"
	"strings"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/demo"
)

// memberPage is the page of the demo's shop, on which a member sees the widget. The server has its address before the
// demo has a member, so it is filled before the server begins.
type memberPage struct {
	app    *app.App
	prefix string
	record demoRecord
}

// set says whose page it is.
func (p *memberPage) set(a *app.App, prefix string, record demoRecord) {
	p.app, p.prefix, p.record = a, strings.TrimSuffix(prefix, "/"), record
}

// render returns the HTML of the page, with a new token of the member.
func (p *memberPage) render(ctx context.Context) ([]byte, error) {
	token, err := p.app.MemberToken(ctx, p.record.Program.WebsiteAPIKey, p.record.Result.HalfWay)
	if err != nil {
		return nil, err
	}
	return demo.Page{Prefix: p.prefix, ClientKey: p.record.Program.ClientAPIKey, MemberToken: token}.Render()
}
