package kafka

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// One request may hold only so much. Kafka's controller writes at most 10,000
// records for one request, and takes the first 10,000 of a longer one.
const (
	maxItems   = 1000      // topics, resources or partitions of one request
	maxRecords = 5000      // partitions or configs that it makes the controller write
	maxBytes   = 512 << 10 // of config values
)

// maxConfigValue is the longest config value that Kafka stores. Longer ones do
// not merely fail: some clients wrap the length and lose the value.
const maxConfigValue = 32767

// quotaPatience is how long items are sent again that a quota holds back.
const quotaPatience = 5 * time.Minute

// send puts one request for the items at the given places of a list, and gives
// each one's error, in the places' order.
type send func(ctx context.Context, at []int) (errs []error, throttle time.Duration, err error)

// deliver sends items in batches. Those that a quota held back (KIP-599),
// which Kafka did not carry out, are sent again when it says so. After a batch
// without an answer nothing more is sent.
func deliver(ctx context.Context, errs []error, batches [][]int, do send) error {
	for n, at := range batches {
		if err := deliverBatch(ctx, errs, at, do); err != nil {
			for _, rest := range batches[n+1:] {
				fill(errs, rest, &RefusedError{fmt.Sprintf("not sent, since the request before it failed: %v", err)})
			}
			return err
		}
	}
	return nil
}

// deliverBatch sends one batch, again for what a quota held back.
func deliverBatch(ctx context.Context, errs []error, at []int, do send) error {
	for began := time.Now(); ; {
		answers, throttle, err := do(ctx, at)
		if err != nil {
			fill(errs, at, err)
			return err
		}
		var held []int
		for k, i := range at {
			errs[i] = answers[k]
			if isCode(answers[k], state.CodeThrottlingQuota) {
				held = append(held, i)
			}
		}
		if at = held; len(at) == 0 || time.Since(began) > quotaPatience {
			return nil
		}
		if sleep(ctx, max(throttle, 100*time.Millisecond)) != nil {
			return nil // the quota's error stays: these were not carried out
		}
	}
}

func fill(errs []error, at []int, err error) {
	for _, i := range at {
		errs[i] = err
	}
}

// millis is a message's time as a duration.
func millis(ms int32) time.Duration { return time.Duration(ms) * time.Millisecond }

// batches packs the items at the given places so that no batch passes the
// limits of items and weight. Places whose key is already in a batch begin the
// next one: Kafka lets the last of two win, or refuses both.
func batches(at []int, weight func(i int) int, limit int, key func(i int) any) [][]int {
	var out [][]int
	var batch []int
	sum, seen := 0, map[any]bool{}
	for _, i := range at {
		if len(batch) > 0 && (len(batch) == maxItems || sum+weight(i) > limit || seen[key(i)]) {
			out = append(out, batch)
			batch, sum, seen = nil, 0, map[any]bool{}
		}
		batch, sum = append(batch, i), sum+weight(i)
		seen[key(i)] = true
	}
	if len(batch) > 0 {
		out = append(out, batch)
	}
	return out
}

// places are all places of a list of n.
func places(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// answered gives the items' errors from an answer by key. An item that the
// answer leaves out has an error that says so.
func answered[K comparable](at []int, key func(i int) K, answers map[K]error) []error {
	out := make([]error, len(at))
	for k, i := range at {
		err, ok := answers[key(i)]
		if !ok {
			err = fmt.Errorf("the answer says nothing about %v: it may have been carried out", key(i))
		}
		out[k] = err
	}
	return out
}

// numbers are brokers as a message has them. Nil stays nil.
func numbers(ids []state.BrokerID) []int32 {
	if ids == nil {
		return nil
	}
	out := make([]int32, len(ids))
	for i, id := range ids {
		out[i] = int32(id)
	}
	return out
}

// notController says whether the whole request was refused by a broker that is
// not, or does not know, the controller; then nothing of it was carried out.
func notController(resp kmsg.Response) bool {
	var codes []int16
	switch r := resp.(type) {
	case *kmsg.CreateTopicsResponse:
		for _, t := range r.Topics {
			codes = append(codes, t.ErrorCode)
		}
	case *kmsg.CreatePartitionsResponse:
		for _, t := range r.Topics {
			codes = append(codes, t.ErrorCode)
		}
	case *kmsg.DeleteTopicsResponse:
		for _, t := range r.Topics {
			codes = append(codes, t.ErrorCode)
		}
	case *kmsg.IncrementalAlterConfigsResponse:
		for _, t := range r.Resources {
			codes = append(codes, t.ErrorCode)
		}
	case *kmsg.AlterPartitionAssignmentsResponse:
		codes = append(codes, r.ErrorCode)
	case *kmsg.ElectLeadersResponse:
		codes = append(codes, r.ErrorCode)
	}
	for _, code := range codes {
		if code != state.CodeNotController {
			return false
		}
	}
	return len(codes) > 0
}
