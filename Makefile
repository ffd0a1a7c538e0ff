# Thin names for what stands in scripts and in go itself. `make` alone lists them.
.PHONY: help build test race check format fmt lint arch modules vulnerabilities release fuzz tour torture openapi docs
.PHONY: client clients demo faults openapi-lint examples dist packaging monitoring

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the server as bin/laurel
	go build -o bin/laurel ./cmd/laurel

test: ## run all tests on both engines, with the race detector where goroutines meet
	scripts/test.sh

race: ## run all tests on both engines under the race detector: before a release, and when goroutines change
	scripts/test.sh --race

check: format lint arch modules vulnerabilities release fuzz test ## all that a change must pass

format: ## fail where gofmt would change a file
	@files=$$(gofmt -l .); test -z "$$files" || { echo "run make fmt:"; echo "$$files"; exit 1; }

fmt: ## format the code
	gofmt -w .

lint: ## run golangci-lint, go vet in it; fail where it cannot be built
	scripts/lint.sh

arch: ## check the rules of the house
	go test ./internal/dev/arch

modules: ## check that go.mod is tidy and no cached module was changed
	go run ./scripts/gates modules

vulnerabilities: ## scan for known vulnerabilities, or say that their database cannot be reached
	scripts/vulnerabilities.sh

release: ## build bin/laurel and prove that it holds no planted fault
	scripts/release-check.sh

dist: ## build the archives of a release for all platforms into bin/release: VERSION=1.2.3
	scripts/release.sh $(VERSION)

packaging: ## carry out the steps of the image and of compose by hand
	scripts/packaging.sh

fuzz: ## run every fuzz target for some seconds; FUZZ_TIME sets how long, 5s or 50000x
	scripts/fuzz.sh

tour: ## walk through the API with curl, on each engine
	scripts/tour.sh sqlite
	scripts/tour.sh postgres

torture: ## torture real servers with kills and faults on both engines; SEED=… replays
	scripts/torture.sh

faults: ## plant bugs that the project once had, and prove that the tests still find them
	scripts/faults.sh

openapi: ## write openapi.json from the routes
	go test ./internal/api -run TestDocumentIsTheOneInTheRepository -update

examples: ## record calls of the tests and choose the examples of openapi.json from them
	mkdir -p bin && rm -f bin/calls.jsonl
	LAUREL_TEST_POSTGRES= LAUREL_RECORD_CALLS=$(CURDIR)/bin/calls.jsonl go test ./internal/app
	LAUREL_RECORD_CALLS=$(CURDIR)/bin/calls.jsonl go test ./internal/app -run TestEveryOperationHasAnExample -update
	$(MAKE) openapi

openapi-lint: ## lint openapi.json with the recommended rules of redocly
	scripts/openapi.sh

docs: ## write the tables of lock ranks and of error codes into docs
	go test ./internal/store -run TestTheDocsHoldTheLockOrder -update
	go test ./internal/api/rest -run TestTheDocsHoldTheErrorCodes -update

clients: ## write the clients and the Postman collection from openapi.json
	go run ./scripts/clients

client: ## compile the TypeScript client and try it on a server
	scripts/client.sh

monitoring: ## check the alert rules and the metrics of a live server with promtool
	scripts/monitoring.sh

demo: ## serve a demo with members, rules and points
	go run ./cmd/laurel demo
