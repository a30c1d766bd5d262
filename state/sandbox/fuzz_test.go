package sandbox

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// FuzzRequest feeds whatever bytes to a broker: it answers or cuts the
// connection, and never panics.
func FuzzRequest(f *testing.F) {
	clock := NewManual(time.Unix(0, 0))
	for key := range apiOf {
		for _, version := range []int16{apiOf[key].min, apiOf[key].max, apiOf[key].max + 1} {
			req := kmsg.RequestForKey(key)
			req.SetVersion(version)
			f.Add(kmsg.NewRequestFormatter(kmsg.FormatterClientID("f")).AppendRequest(nil, req, 7)[4:])
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Start(Options{Snapshot: Empty(3, 3), Clock: clock})
		if err != nil {
			t.Skip(err)
		}
		defer s.Close()
		s.cluster.addPartition(s.cluster.addTopic("t"), []int32{1, 2})
		gone := make(chan struct{})
		close(gone)
		c := &conversation{sandbox: s, broker: 1, conn: nowhere{}, gone: gone}
		c.answer(raw)
		s.Snapshot()
	})
}
