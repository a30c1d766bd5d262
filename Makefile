# make demo   the quickstart on an embedded cluster: plan, apply, plan again
# make test   everything; real Kafka included where Java 17 and Maven are there
# make build  bin/ballast
# make bench  the speeds that the project promises

GO          ?= go
VERSION     ?= 0.1.0
COMMIT      ?= $(shell git rev-parse HEAD 2>/dev/null)
MODIFIED    ?= $(if $(COMMIT),$(if $(shell git status --porcelain 2>/dev/null),true,false))
LDFLAGS     := -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.modified=$(MODIFIED)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# Rooms whose tests run once more under the race detector.
CONCURRENT := ./apply/... ./state/... ./cmd/...

.PHONY: build demo test check unit race bench clean

build:
	$(GO) build -trimpath -ldflags "$(LDFLAGS)" -o bin/ballast ./cmd/ballast

demo: build
	@examples/quickstart/demo.sh bin/ballast

test: check unit race

check:
	$(GO) vet ./...
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(ACTIONLINT) -ignore 'label "kafka" is unknown' examples/github-actions/*.yml

# The packages with tests on real Kafka wait for one another, each for as long as
# the others take: the limit is on all of them together.
unit:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  echo "NOT TESTED IN A BROWSER: Chromium is not installed"
	$(GO) test -timeout 30m ./...

# The tests on real Kafka ran above; -short leaves them out here.
race:
	$(GO) test -race -short -timeout 30m $(CONCURRENT)

bench:
	$(GO) test -run '^$$' -bench . -benchmem -timeout 30m ./...

clean:
	rm -rf bin
