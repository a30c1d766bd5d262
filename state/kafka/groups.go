package kafka

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// offsetsTopic is where the coordinators keep groups.
const offsetsTopic = "__consumer_offsets"

// groupsAtOnce is how many groups one request asks for.
const groupsAtOnce = 500

// ListGroups lists the groups of all brokers, by name: those that we may
// describe, since Kafka leaves out all others without a word. A broker that
// does not answer is told as unread: its groups are missing.
func (c *Client) ListGroups(ctx context.Context) ([]state.GroupListing, []state.Unread, error) {
	if err := c.refresh(ctx); err != nil {
		return nil, nil, err
	}
	ids := c.liveBrokers()
	lists, errs := make([][]state.GroupListing, len(ids)), make([]error, len(ids))
	var g errgroup.Group
	g.SetLimit(32)
	for i, id := range ids {
		g.Go(func() error {
			lists[i], errs[i] = c.groupsOf(ctx, id)
			return nil
		})
	}
	g.Wait()
	var unread []state.Unread
	for i, err := range errs {
		if err != nil {
			unread = append(unread, state.Unread{What: "groups", Name: strconv.Itoa(int(ids[i])), Reason: err.Error()})
		}
	}
	return merged(lists), unread, ctx.Err()
}

// merged are several brokers' groups by name. While a coordinator moves, two
// brokers may tell of the same group.
func merged(lists [][]state.GroupListing) []state.GroupListing {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b state.GroupListing) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(all, func(a, b state.GroupListing) bool { return a.Name == b.Name })
}

// groupsOf lists the groups that one broker coordinates.
func (c *Client) groupsOf(ctx context.Context, id state.BrokerID) ([]state.GroupListing, error) {
	var out []state.GroupListing
	err := c.whilePassing(ctx, func() error {
		resp, err := c.readBroker(ctx, id, kmsg.NewPtrListGroupsRequest())
		if err != nil {
			return err
		}
		r := resp.(*kmsg.ListGroupsResponse)
		out = out[:0]
		for _, g := range r.Groups {
			out = append(out, state.GroupListing{Name: g.Group, Type: state.GroupType(g.GroupType), ProtocolType: g.ProtocolType, State: g.GroupState})
		}
		return kafkaError(r.ErrorCode, nil)
	})
	return out, err
}

// DescribeGroups reads groups and their members, each from its coordinator. Of
// a group that was not listed the name will do. Share and streams groups have no
// consumers' assignment: they are given back as they were listed. A group that
// is not there has an error of its own with the code CodeGroupNotFound, one that
// we may not describe CodeGroupAuthorization.
func (c *Client) DescribeGroups(ctx context.Context, list []state.GroupListing) ([]state.Group, []error, error) {
	d := &describing{client: c, out: make([]state.Group, len(list)), errs: make([]error, len(list))}
	var classic, consumer, unlisted []int
	for i, l := range list {
		d.out[i].GroupListing = l
		switch {
		case l.Type == state.ShareGroup || l.Type == state.StreamsGroup:
		case l.Type == state.ConsumerGroup:
			consumer = append(consumer, i)
		case l == state.GroupListing{Name: l.Name}:
			unlisted = append(unlisted, i)
		default:
			classic = append(classic, i)
		}
	}
	if len(unlisted) > 0 && c.withoutGroups(ctx) {
		for _, i := range unlisted {
			d.errs[i] = noSuchGroup(list[i].Name)
		}
	} else {
		classic = append(classic, unlisted...)
	}
	d.ask(ctx, classic, d.askClassic)
	for _, i := range classic {
		if isCode(d.errs[i], state.CodeGroupNotFound) && list[i].Type == "" {
			consumer = append(consumer, i) // it may be one of the other type
		}
	}
	d.ask(ctx, consumer, d.askConsumer)
	return d.out, d.errs, ctx.Err()
}

// withoutGroups says whether the cluster has no topic for groups yet, and none
// of them. To ask for the coordinator of a group would create the topic.
func (c *Client) withoutGroups(ctx context.Context) bool {
	m, err := c.readMetadata(ctx, []string{offsetsTopic})
	if err != nil || len(m.Topics) != 1 || m.Topics[0].ErrorCode != state.CodeUnknownTopicOrPartition {
		return false
	}
	list, unread, err := c.ListGroups(ctx)
	return err == nil && len(list)+len(unread) == 0
}

// noSuchGroup is the error for a group that is not there.
func noSuchGroup(name string) error {
	message := "Group " + name + " not found."
	return kafkaError(state.CodeGroupNotFound, &message)
}

// describing is one reading of several groups.
type describing struct {
	client *Client
	out    []state.Group
	errs   []error // by group
}

// ask puts groups to their coordinators, and to the next ones where these have
// moved meanwhile.
func (d *describing) ask(ctx context.Context, groups []int, put func(context.Context, state.BrokerID, []int) error) {
	rest := groups
	_ = d.client.whilePassing(ctx, func() error {
		at := d.coordinators(ctx, rest)
		for _, id := range slices.Sorted(maps.Keys(at)) {
			for batch := range slices.Chunk(at[id], groupsAtOnce) {
				if err := put(ctx, id, batch); err != nil {
					d.failed(batch, err)
				}
			}
		}
		var again error
		rest, again = d.passing(rest)
		return again
	})
}

// failed gives all groups of a request its error.
func (d *describing) failed(groups []int, err error) {
	for _, i := range groups {
		d.errs[i] = err
	}
}

// passing are the groups whose errors may go away by themselves, and one of these.
func (d *describing) passing(groups []int) (again []int, err error) {
	for _, i := range groups {
		if isPassing(d.errs[i]) {
			again, err = append(again, i), d.errs[i]
		}
	}
	return again, err
}

// groupAnswer is what a coordinator tells of one group, or why it does not.
type groupAnswer struct {
	group state.Group
	err   error
}

// take takes over the answers to a request, by the groups' names. Of a group with
// an error all stays that was known of it.
func (d *describing) take(request string, groups []int, answers map[string]groupAnswer) {
	for _, i := range groups {
		a, told := answers[d.out[i].Name]
		if !told {
			a.err = notNamed(request)
		}
		if d.errs[i] = a.err; a.err == nil {
			d.out[i] = a.group
		}
	}
}

// notNamed is the error of a group that an answer leaves out.
func notNamed(request string) error {
	return fmt.Errorf("the answer to %s does not name the group", request)
}
