package kafka

import (
	"bytes"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// FuzzDecode feeds answers of all kinds that are asked for: none may panic.
func FuzzDecode(f *testing.F) {
	requests := []func() kmsg.Request{
		func() kmsg.Request { return kmsg.NewPtrApiVersionsRequest() },
		func() kmsg.Request { return kmsg.NewPtrMetadataRequest() },
		func() kmsg.Request { return kmsg.NewPtrDescribeClusterRequest() },
		func() kmsg.Request { return kmsg.NewPtrDescribeConfigsRequest() },
		func() kmsg.Request { return kmsg.NewPtrDescribeLogDirsRequest() },
		func() kmsg.Request { return kmsg.NewPtrListPartitionReassignmentsRequest() },
		func() kmsg.Request { return kmsg.NewPtrAlterPartitionAssignmentsRequest() },
		func() kmsg.Request { return kmsg.NewPtrCreateTopicsRequest() },
		func() kmsg.Request { return kmsg.NewPtrListOffsetsRequest() },
		func() kmsg.Request { return kmsg.NewPtrListGroupsRequest() },
		func() kmsg.Request { return kmsg.NewPtrDescribeGroupsRequest() },
		func() kmsg.Request { return kmsg.NewPtrConsumerGroupDescribeRequest() },
		func() kmsg.Request { return kmsg.NewPtrFindCoordinatorRequest() },
	}
	f.Add(uint8(0), []byte("\x00\x00\x00\x01\x00\x23\x00"))
	f.Add(uint8(1), []byte("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x01\x02"))
	f.Fuzz(func(t *testing.T, kind uint8, body []byte) {
		req := requests[int(kind)%len(requests)]()
		req.SetVersion(req.MaxVersion())
		resp, err := decode(req, 1, body)
		if err != nil {
			return
		}
		notController(resp)
		switch r := resp.(type) {
		case *kmsg.MetadataResponse:
			if s, err := snapshotOf(r); err == nil {
				addDead(s)
			}
		case *kmsg.DescribeGroupsResponse:
			for i := range r.Groups {
				classicOf(&r.Groups[i])
			}
		case *kmsg.ConsumerGroupDescribeResponse:
			for i := range r.Groups {
				consumerOf(&r.Groups[i])
			}
		case *kmsg.FindCoordinatorResponse:
			foundIn(r, "g")
		}
	})
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x04abcd"))
	f.Add([]byte("\x1f\xff\xff\xffabcd"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := readFrame(bytes.NewReader(in))
		if err == nil && !bytes.Equal(out, in[4:4+len(out)]) {
			t.Errorf("%q gives %q", in, out)
		}
	})
}
