package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// The listings that Kafka's tools ask for beside what they show.

func describeQuotas(*call, *kmsg.DescribeClientQuotasRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeClientQuotasResponse()
	resp.Entries = []kmsg.DescribeClientQuotasResponseEntry{}
	return resp
}

func describeScram(_ *call, req *kmsg.DescribeUserSCRAMCredentialsRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeUserSCRAMCredentialsResponse()
	for _, u := range req.Users {
		r := kmsg.NewDescribeUserSCRAMCredentialsResponseResult()
		r.User, r.ErrorCode = u.Name, 91
		r.ErrorMessage = kmsg.StringPtr("Attempt to describe a user credential that does not exist: " + u.Name)
		resp.Results = append(resp.Results, r)
	}
	return resp
}

func listConfigResources(c *call, req *kmsg.ListConfigResourcesRequest) kmsg.Response {
	resp := kmsg.NewPtrListConfigResourcesResponse()
	types := map[int8]bool{}
	for _, t := range req.ResourceTypes {
		types[t] = true
	}
	add := func(kind int8, name string) {
		if req.Version >= 1 && (len(types) == 0 || types[kind]) {
			r := kmsg.NewListConfigResourcesResponseConfigResource()
			r.Name, r.Type = name, kind
			resp.ConfigResources = append(resp.ConfigResources, r)
		}
	}
	for _, name := range c.names {
		add(int8(kmsg.ConfigResourceTypeTopic), name)
	}
	for _, b := range c.live() {
		add(int8(kmsg.ConfigResourceTypeBroker), itoa(b.id))
	}
	return resp
}
