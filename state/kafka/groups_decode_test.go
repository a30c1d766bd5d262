package kafka

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// subscription is what a member says of itself in a version of the protocol.
func subscription(version int16) []byte {
	rack := "r1"
	s := kmsg.NewConsumerMemberMetadata()
	s.Version, s.Topics, s.UserData, s.Generation, s.Rack = version, []string{"b", "a", "b"}, []byte("x"), 7, &rack
	o := kmsg.NewConsumerMemberMetadataOwnedPartition()
	o.Topic, o.Partitions = "a", []int32{1}
	s.OwnedPartitions = append(s.OwnedPartitions, o)
	return s.AppendTo(nil)
}

func assigned(version int16) []byte {
	a := kmsg.NewConsumerMemberAssignment()
	a.Version = version
	for _, name := range []string{"b", "a"} {
		t := kmsg.NewConsumerMemberAssignmentTopic()
		t.Topic, t.Partitions = name, []int32{2, 0, 2}
		a.Topics = append(a.Topics, t)
	}
	return a.AppendTo(nil)
}

func TestEveryVersionOfAMembersWordsIsRead(t *testing.T) {
	want := []state.TopicPartition{{Topic: "a", Partition: 0}, {Topic: "a", Partition: 2}, {Topic: "b", Partition: 0}, {Topic: "b", Partition: 2}}
	for version := range int16(5) { // one more than there are: only what is added at the end may differ
		var m state.GroupMember
		readMember(&m, subscription(version), assigned(version))
		if m.Malformed != "" || !slices.Equal(m.Topics, []string{"a", "b"}) {
			t.Errorf("version %d: %+v", version, m)
		}
		if diff := cmp.Diff(want, m.Assigned); diff != "" {
			t.Errorf("version %d: %s", version, diff)
		}
		if hasRack := version >= 3; (m.Rack == "r1") != hasRack {
			t.Errorf("version %d: the rack is %q", version, m.Rack)
		}
	}
}

func TestAMemberThatWasGivenNothingHasNothing(t *testing.T) {
	var m state.GroupMember
	if readMember(&m, subscription(1), nil); m.Malformed != "" || m.Assigned != nil {
		t.Errorf("%+v", m)
	}
}

func TestWordsThatAreNotConsumersAreSaidToBeMalformed(t *testing.T) {
	for name, c := range map[string][2][]byte{
		"an empty subscription":    {nil, assigned(0)},
		"a cut subscription":       {subscription(3)[:9], assigned(0)},
		"a negative version":       {[]byte("\xff\xff\x00\x00\x00\x00"), nil},
		"a count beyond the bytes": {[]byte("\x00\x00\x7f\xff\xff\xff"), nil},
		"a cut assignment":         {subscription(3), assigned(1)[:8]},
	} {
		var m state.GroupMember
		if readMember(&m, c[0], c[1]); m.Malformed == "" {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// FuzzReadMember feeds what a member may have told: it never panics, and what it
// gives is sorted.
func FuzzReadMember(f *testing.F) {
	for version := range int16(4) {
		f.Add(subscription(version), assigned(version))
	}
	f.Add([]byte("\x00\x00\x7f\xff\xff\xff"), []byte("\x00\x00\x00\x00\x00\x01\x00\x01t\x7f\xff\xff\xff"))
	f.Add([]byte("\xff\xff"), []byte("\x00\x01\x80\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, subscription, assignment []byte) {
		var m state.GroupMember
		readMember(&m, subscription, assignment)
		if !slices.IsSorted(m.Topics) {
			t.Errorf("%q", m.Topics)
		}
	})
}
