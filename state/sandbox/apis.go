package sandbox

import "github.com/twmb/franz-go/pkg/kmsg"

// api is a request that the sandbox answers.
type api struct {
	key, min, max int16
	handle        func(*call, kmsg.Request) kmsg.Response
	writes        bool // it changes the cluster
	waits         bool // it may wait, so it locks for itself
}

// on adapts a handler of one kind of request.
func on[R kmsg.Request](f func(*call, R) kmsg.Response) func(*call, kmsg.Request) kmsg.Response {
	return func(c *call, r kmsg.Request) kmsg.Response { return f(c, r.(R)) }
}

var apiOf = map[int16]*api{}

// The versions are those of Apache Kafka 4.3.0, where the messages reach them.
func init() {
	for _, a := range []api{
		{key: 0, min: 3, max: 13, handle: on(produce), writes: true},
		{key: 1, min: 4, max: 18, handle: on(fetch), waits: true},
		{key: 2, min: 1, max: 11, handle: on(listOffsets)},
		{key: 3, min: 0, max: 13, handle: on(metadata)},
		{key: 8, min: 2, max: 10, handle: on(commitOffsets), writes: true},
		{key: 9, min: 1, max: 10, handle: on(fetchOffsets)},
		{key: 10, min: 0, max: 6, handle: on(findCoordinator)},
		{key: 11, min: 0, max: 9, handle: on(joinGroup), waits: true},
		{key: 12, min: 0, max: 4, handle: on(heartbeat)},
		{key: 13, min: 0, max: 5, handle: on(leaveGroup)},
		{key: 14, min: 0, max: 5, handle: on(syncGroup), waits: true},
		{key: 15, min: 0, max: 6, handle: on(describeGroups)},
		{key: 16, min: 0, max: 5, handle: on(listGroups)},
		{key: 18, min: 0, max: 4, handle: on(apiVersions)},
		{key: 19, min: 2, max: 7, handle: on(createTopics), writes: true},
		{key: 20, min: 1, max: 6, handle: on(deleteTopics), writes: true},
		{key: 21, min: 0, max: 2, handle: on(deleteRecords), writes: true},
		{key: 22, min: 0, max: 5, handle: on(initProducer)},
		{key: 23, min: 2, max: 4, handle: on(offsetForLeaderEpoch)},
		{key: 32, min: 1, max: 4, handle: on(describeConfigs)},
		{key: 35, min: 1, max: 5, handle: on(describeLogDirs)},
		{key: 37, min: 0, max: 3, handle: on(createPartitions), writes: true},
		{key: 42, min: 0, max: 2, handle: on(deleteGroups), writes: true},
		{key: 43, min: 0, max: 2, handle: on(electLeaders), writes: true},
		{key: 44, min: 0, max: 1, handle: on(alterConfigs), writes: true},
		{key: 45, min: 0, max: 1, handle: on(alterReassignments), writes: true},
		{key: 46, min: 0, max: 0, handle: on(listReassignments)},
		{key: 48, min: 0, max: 1, handle: on(describeQuotas)},
		{key: 50, min: 0, max: 0, handle: on(describeScram)},
		{key: 55, min: 0, max: 2, handle: on(describeQuorum)},
		{key: 60, min: 0, max: 2, handle: on(describeCluster)},
		{key: 69, min: 0, max: 1, handle: on(describeConsumerGroups)},
		{key: 74, min: 0, max: 1, handle: on(listConfigResources)},
		{key: 75, min: 0, max: 0, handle: on(describeTopicPartitions)},
	} {
		a.max = min(a.max, kmsg.RequestForKey(a.key).MaxVersion())
		apiOf[a.key] = &a
	}
}

func apiVersions(*call, *kmsg.ApiVersionsRequest) kmsg.Response {
	resp := kmsg.NewPtrApiVersionsResponse()
	for key := int16(0); key < 100; key++ {
		if a := apiOf[key]; a != nil {
			k := kmsg.NewApiVersionsResponseApiKey()
			k.ApiKey, k.MinVersion, k.MaxVersion = key, a.min, a.max
			resp.ApiKeys = append(resp.ApiKeys, k)
		}
	}
	return resp
}

// unsupportedVersion answers an ApiVersions request that is too new: version
// 0, so that any client reads it, with what would be served.
func unsupportedVersion() kmsg.Response {
	resp := apiVersions(nil, nil).(*kmsg.ApiVersionsResponse)
	resp.SetVersion(0)
	resp.ErrorCode = 35
	return resp
}
