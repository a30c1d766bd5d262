package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

func deleteTopics(c *call, req *kmsg.DeleteTopicsRequest) kmsg.Response {
	resp := kmsg.NewPtrDeleteTopicsResponse()
	wanted := req.Topics
	for _, name := range req.TopicNames {
		t := kmsg.NewDeleteTopicsRequestTopic()
		t.Topic = &name
		wanted = append(wanted, t)
	}
	for _, w := range wanted {
		out := kmsg.NewDeleteTopicsResponseTopic()
		out.Topic, out.TopicID = w.Topic, w.TopicID
		t := c.topicIDs[w.TopicID]
		if w.Topic != nil {
			t, out.ErrorCode = c.topics[*w.Topic], 3
		} else {
			out.ErrorCode = 100
		}
		if t != nil {
			out.Topic, out.TopicID, out.ErrorCode = &t.name, t.id, 0
			c.removeTopic(t)
			c.sandbox.forgetOffsets(t.name)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}
