package kafka

import (
	"context"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// isPassing says whether a coordinator's error may go away by itself.
func isPassing(err error) bool {
	return isCode(err, codeCoordinatorLoading) || isCode(err, codeCoordinatorNotAvailable) || isCode(err, codeNotCoordinator)
}

// whilePassing tries again while a coordinator's error may go away by itself,
// for some seconds.
func (c *Client) whilePassing(ctx context.Context, try func() error) error {
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		err := try()
		if !isPassing(err) || wait > 2*time.Second || sleep(ctx, wait) != nil {
			return err
		}
	}
}

// coordinators has groups by the broker that coordinates them. A group whose
// coordinator cannot be found has its error.
func (d *describing) coordinators(ctx context.Context, groups []int) map[state.BrokerID][]int {
	out := map[state.BrokerID][]int{}
	for batch := range slices.Chunk(groups, groupsAtOnce) {
		d.findBatch(ctx, batch, out)
	}
	return out
}

// findBatch asks for several groups' coordinators in one request, and for each
// in its own where the broker knows no other way (before KIP-699).
func (d *describing) findBatch(ctx context.Context, groups []int, out map[state.BrokerID][]int) {
	req := kmsg.NewPtrFindCoordinatorRequest()
	req.CoordinatorKey = d.out[groups[0]].Name
	for _, i := range groups {
		req.CoordinatorKeys = append(req.CoordinatorKeys, d.out[i].Name)
	}
	resp, err := d.client.readAny(ctx, req)
	if err != nil {
		d.failed(groups, err)
		return
	}
	r := resp.(*kmsg.FindCoordinatorResponse)
	if r.Version < 4 && len(groups) > 1 {
		for _, i := range groups {
			d.findBatch(ctx, []int{i}, out)
		}
		return
	}
	found := foundIn(r, d.out[groups[0]].Name)
	for _, i := range groups {
		f, ok := found[d.out[i].Name]
		if !ok {
			f.err = notNamed("FindCoordinator")
		}
		if d.errs[i] = f.err; f.err == nil {
			out[f.id] = append(out[f.id], i)
		}
	}
}

// coordinator is a group's coordinator, or why there is none.
type coordinator struct {
	id  state.BrokerID
	err error
}

// foundIn reads an answer of any version; the first ones are about one group.
func foundIn(r *kmsg.FindCoordinatorResponse, only string) map[string]coordinator {
	if r.Version < 4 {
		return map[string]coordinator{only: {state.BrokerID(r.NodeID), kafkaError(r.ErrorCode, r.ErrorMessage)}}
	}
	out := make(map[string]coordinator, len(r.Coordinators))
	for _, f := range r.Coordinators {
		out[f.Key] = coordinator{state.BrokerID(f.NodeID), kafkaError(f.ErrorCode, f.ErrorMessage)}
	}
	return out
}
