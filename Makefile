# make demo   the quickstart on an embedded cluster: plan, apply, plan again
# make test   everything; real Kafka included where Java 17 and Maven are there
# make build  bin/ballast
# make bench  the speeds that the project promises

GO          ?= go
VERSION     ?= 0.1.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

# Rooms whose tests run once more under the race detector.
CONCURRENT := ./apply/... ./state/... ./cmd/...

.PHONY: build demo test check unit race bench clean

build:
	$(GO) build -trimpath -ldflags "-X main.version=$(VERSION)" -o bin/ballast ./cmd/ballast

demo: build
	@examples/quickstart/demo.sh bin/ballast

test: check unit race

check:
	$(GO) vet ./...
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(ACTIONLINT) -ignore 'label "kafka" is unknown' examples/github-actions/*.yml

# Real Kafka is slow to start and wants the machine for itself: one package at
# a time there, all others together.
unit:
	$(GO) test -timeout 20m ./...

# The tests on real Kafka ran above; -short leaves them out here.
race:
	$(GO) test -race -short -timeout 10m $(CONCURRENT)

bench:
	$(GO) test -run '^$$' -bench . -benchmem -timeout 30m ./...

clean:
	rm -rf bin
