# Thin names for what stands in scripts and in go itself. `make` alone lists them.
lint := go tool -modfile=tools/go.mod golangci-lint

.PHONY: help build test check format fmt vet lint arch tour torture openapi client demo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the server as bin/laurel
	go build -o bin/laurel ./cmd/laurel

test: ## run all tests on both engines, with the race detector where it works
	scripts/test.sh

check: format vet lint arch test ## all that a change must pass

format: ## fail where gofmt would change a file
	@files=$$(gofmt -l .); test -z "$$files" || { echo "run make fmt:"; echo "$$files"; exit 1; }

fmt: ## format the code
	gofmt -w .

vet: ## run go vet
	go vet ./...

lint: ## run golangci-lint; where it cannot be built, go vet instead
	@if $(lint) version >/dev/null; then $(lint) run ./...; \
	else echo "golangci-lint cannot be built here: only go vet runs"; go vet ./...; fi

arch: ## check the rules of the house
	go test ./internal/arch

tour: ## walk through the API with curl, on each engine
	scripts/tour.sh sqlite
	scripts/tour.sh postgres

torture: ## torture real servers with kills and faults on both engines; SEED=… replays
	scripts/torture.sh

openapi: ## write openapi.json from the routes
	go test ./internal/httpapi -run TestDocumentIsTheOneInTheRepository -update

client: ## generate a client from openapi.json and try it
	scripts/client.sh

demo: ## serve a demo with members, rules and points
	go run ./cmd/laurel demo
