package sandbox

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// CutOff lets a broker's metadata stay as it is now, whatever becomes of the
// cluster, as that of a broker which hears nothing of the controller any more
// and still answers its clients. After n answers to Metadata, or with Reconnect,
// it shows what is; n of 0 is never.
func (s *Sandbox) CutOff(id state.BrokerID, n int) error {
	c, done := s.live()
	defer done()
	b := c.byID[int32(id)]
	if b == nil {
		return fmt.Errorf("sandbox: there is no broker %d", id)
	}
	all := kmsg.NewPtrMetadataRequest()
	all.Topics = nil
	all.Version = all.MaxVersion()
	now := metadataNow(&call{cluster: c, sandbox: s, broker: b}, all)
	now.SetVersion(all.Version)
	b.behind = &behind{bytes: now.AppendTo(nil), version: all.Version, answers: n}
	return nil
}

// Reconnect ends what CutOff began.
func (s *Sandbox) Reconnect(id state.BrokerID) {
	c, done := s.live()
	defer done()
	if b := c.byID[int32(id)]; b != nil {
		b.behind = nil
	}
}

// behind is the metadata of a broker that is cut off.
type behind struct {
	bytes   []byte // of the answer about all topics, which nothing can change
	version int16
	answers int // that are left; 0: any number
}

// metadata is what a broker answers to a Metadata request.
func metadata(c *call, req *kmsg.MetadataRequest) kmsg.Response {
	if c.broker.behind == nil {
		return metadataNow(c, req)
	}
	b := c.broker.behind
	resp := kmsg.NewPtrMetadataResponse()
	resp.SetVersion(b.version)
	if err := resp.ReadFrom(b.bytes); err != nil {
		return metadataNow(c, req)
	}
	if req.Topics != nil {
		resp.Topics = named(resp.Topics, req.Topics)
	}
	if b.answers--; b.answers == 0 {
		c.broker.behind = nil
	}
	b.answers = max(b.answers, 0)
	return resp
}

// named are those of the topics that a request names; one that is not among
// them does not exist.
func named(topics []kmsg.MetadataResponseTopic, wanted []kmsg.MetadataRequestTopic) []kmsg.MetadataResponseTopic {
	out := make([]kmsg.MetadataResponseTopic, len(wanted))
	for i, w := range wanted {
		out[i].Default()
		out[i].ErrorCode, out[i].Topic, out[i].TopicID = 3, w.Topic, w.TopicID
		for _, t := range topics {
			if w.Topic != nil && *t.Topic == *w.Topic || w.Topic == nil && t.TopicID == w.TopicID {
				out[i] = t
			}
		}
	}
	return out
}
