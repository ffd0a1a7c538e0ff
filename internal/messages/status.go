package messages

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// Status is how the latest messages of a kind to members of a website were sent, as far as this process has seen them.
type Status struct {
	Kind         Kind
	HasGateway   bool
	GoesToOutbox bool // messages are stored in the outbox of development
	outbound.Status
}

// Statuses returns the status of each kind for a website.
func (s *Service) Statuses(website laurel.ID) []Status {
	list := []Status{{Kind: SMS, HasGateway: s.SMS != nil}, {Kind: Email, HasGateway: s.Email != nil}}
	for i := range list {
		list[i].GoesToOutbox = !list[i].HasGateway && s.Outbox
		if list[i].HasGateway {
			list[i].Status = s.health.Of(healthKey(list[i].Kind, website))
		}
	}
	return list
}

// healthKey names a gateway and the website for which it sends: no website learns of the messages of another one.
func healthKey(kind Kind, website laurel.ID) string { return string(kind) + " " + website.String() }
