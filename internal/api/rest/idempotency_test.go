package rest_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

func TestSameKeyAndRequestIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		create := call{
			method:  "POST",
			path:    "/api/websites",
			key:     "O",
			body:    `{"name":"once"}`,
			headers: []string{"Idempotency-Key: k1"},
		}
		first := s.do(create)
		if first.status != 200 || first.header.Get("Idempotent-Replayed") != "" {
			s.Fatal(first)
		}
		create.path += "/"
		second := s.do(create)
		s.equal(second.body, first.body)
		s.equal(second.header.Get("Idempotent-Replayed"), "true")
		s.equal(second.header.Get("Content-Type"), "application/json; charset=utf-8")
		s.equal(s.websites("once"), "1")

		other := create
		other.body = `{"name":"twice"}`
		s.refused(s.do(other), 400, "Idempotency-Key was already used with a different request")
		other = create
		other.path = "/api/test/write"
		s.refused(s.do(other), 400, "Idempotency-Key was already used with a different request")
		other.key = "W"
		if r := s.do(other); r.status != 200 {
			s.Error("another API key has keys of its own:", r)
		}
		s.equal(s.websites("twice"), "0")
	})
}

func (s *server) websites(name string) string {
	s.Helper()
	return string(rune('0' + strings.Count(s.get("O", "/api/websites?name="+name).body, `"name"`)))
}

func TestSixtyFourEqualRequestsAtOnceHaveOneEffect(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		replies := make([]reply, 64)
		var wg sync.WaitGroup
		for i := range replies {
			wg.Go(func() {
				replies[i] = s.do(
					call{
						method:  "POST",
						path:    "/api/websites",
						key:     "O",
						body:    `{"name":"once"}`,
						headers: []string{"Idempotency-Key: k"},
					},
				)
			})
		}
		wg.Wait()
		for _, r := range replies {
			s.equal(r.body, replies[0].body)
		}
		s.equal(s.websites("once"), "1")
	})
}

func TestSecretsAreLeftOutOfReplays(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		write := call{
			method:  "POST",
			path:    "/api/test/write",
			key:     "W",
			body:    `{"name":"a","amount":0.1}`,
			headers: []string{"Idempotency-Key: k"},
		}
		first, second := s.do(write), s.do(write)
		if !strings.Contains(first.body, "shown once") || strings.Contains(second.body, "shown once") ||
			strings.Contains(second.body, `"key"`) {
			s.Error(first.body, second.body)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(
			[]byte(second.body),
			&fields,
		); err != nil || string(fields["amount"]) != "0.1" ||
			len(fields) != 7 {
			s.Error(second.body)
		}
	})
}

func TestRefusalsAreNotKept(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		write := call{method: "POST", path: "/api/test/write", key: "W", body: `{}`, headers: []string{"Idempotency-Key: k"}}
		s.refused(s.do(write), 400, "name is required")
		write.body = `{"name":"a"}`
		if r := s.do(write); r.status != 200 || r.header.Get("Idempotent-Replayed") != "" {
			s.Error(r)
		}
	})
}

func TestIdempotencyKeysHaveOneTo255Characters(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for n, status := range map[int]int{1: 200, 255: 200, 256: 400} {
			r := s.do(
				call{
					method:  "POST",
					path:    "/api/test/write",
					key:     "W",
					body:    `{"name":"a"}`,
					headers: []string{"Idempotency-Key: " + strings.Repeat("k", n)},
				},
			)
			if r.status != status {
				s.Errorf("%d: %d %s", n, r.status, r.body)
			}
		}
		if r := s.do(
			call{
				method:  "GET",
				path:    "/api/websites",
				key:     "W",
				headers: []string{"Idempotency-Key: " + strings.Repeat("k", 256)},
			},
		); r.status != 200 {
			s.Error("reads take no key:", r)
		}
	})
}
