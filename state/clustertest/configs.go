package clustertest

import (
	"strings"

	"ballast/state"
)

// topicConfigs: an override has the topic as its source, wherever it comes
// from, and without it the inherited value is back.
func topicConfigs(s *suite) {
	name := s.create(ids(1, 2))
	was, ok := s.config(topicRes(name), "retention.ms")
	if !ok || was.Source != state.SourceDefault || was.Value != "604800000" {
		s.Errorf("an untouched retention.ms is %+v", was)
	}
	s.set(topicRes(name), "retention.ms", "1234567")
	if got, _ := s.config(topicRes(name), "retention.ms"); got.Source != state.SourceTopic {
		s.Errorf("an override's source is %q", got.Source)
	}
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	in := snap.Topic(name).Config
	if in["retention.ms"] != (state.ConfigValue{Value: "1234567", Source: state.SourceTopic}) || in["cleanup.policy"].Source != state.SourceDefault {
		s.Errorf("in the snapshot, retention.ms is %+v and cleanup.policy %+v", in["retention.ms"], in["cleanup.policy"])
	}
	s.set(topicRes(name), "retention.ms", "")
	if got, _ := s.config(topicRes(name), "retention.ms"); got != was {
		s.Errorf("reset, retention.ms is %+v, not %+v", got, was)
	}
	s.done(s.Cluster.AlterConfigs(s.ctx, []state.AlterConfigs{{Resource: topicRes(name), Changes: []state.ConfigChange{{Name: "retention.ms"}}}}))

	given := name + "-given"
	s.createAs(given, map[string]string{"min.insync.replicas": "2"}, ids(1, 2))
	if got, _ := s.config(topicRes(given), "min.insync.replicas"); got != (state.ConfigValue{Value: "2", Source: state.SourceTopic}) {
		s.Errorf("a config given at creation is %+v", got)
	}
	s.onlyTheKeysAskedFor(given)
	s.set(topicRes(name), "leader.replication.throttled.replicas", strings.Repeat("0:1,", 8191)+"0:2")
	s.set(topicRes(name), "leader.replication.throttled.replicas", "*")
}

func (s *suite) onlyTheKeysAskedFor(name string) {
	s.Helper()
	values, errs, err := s.Cluster.Configs(s.ctx, []state.ConfigResource{topicRes(name), topicRes(name + "-not")}, []string{"cleanup.policy"})
	s.refused("reading configs", []int16{0, 3}, errs, err)
	if len(values[0]) != 1 || values[0]["cleanup.policy"].Value != "delete" {
		s.Errorf("asked for cleanup.policy, there is %v", values[0])
	}
}

// configErrors: a resource's changes are refused or done together, and what
// would be lost on the way is not sent.
func configErrors(s *suite) {
	name := s.create(ids(1, 2))
	alter := func(what string, want int16, res state.ConfigResource, keysAndValues ...string) {
		s.Helper()
		a := state.AlterConfigs{Resource: res}
		for i := 0; i < len(keysAndValues); i += 2 {
			a.Changes = append(a.Changes, state.ConfigChange{Name: keysAndValues[i], Value: &keysAndValues[i+1]})
		}
		errs, err := s.Cluster.AlterConfigs(s.ctx, []state.AlterConfigs{a})
		s.refused(what, []int16{want}, errs, err)
	}
	alter("an unknown key", 40, topicRes(name), "no.such.key", "1")
	alter("a bad value", 40, topicRes(name), "retention.ms", "abc")
	alter("a value out of range", 40, topicRes(name), "min.insync.replicas", "0")
	alter("a topic that is not there", 3, topicRes(name+"-not"), "retention.ms", "1")
	alter("a good and a bad key", 40, topicRes(name), "retention.ms", "77", "no.such.key", "1")
	alter("a malformed throttle list", 40, topicRes(name), "leader.replication.throttled.replicas", "0:1:2")
	alter("an asterisk and more", 40, topicRes(name), "leader.replication.throttled.replicas", "*,0:1")
	alter("a negative rate", 42, brokerRes(1), "leader.replication.throttled.rate", "-1")
	alter("a rate that is no number", 42, brokerRes(1), "leader.replication.throttled.rate", "abc")
	alter("a broker config that cannot change", 42, brokerRes(1), "broker.rack", "r9")
	alter("min.insync.replicas above the replication factor", 0, topicRes(name), "min.insync.replicas", "5")
	if got, _ := s.config(topicRes(name), "retention.ms"); got.Value == "77" {
		s.Errorf("of a good and a bad key, the good one was set")
	}
	for what, value := range map[string]string{"nothing": "", "32,768 bytes": strings.Repeat("x", 32768), "65,543 bytes": strings.Repeat("x", 65543)} {
		errs, err := s.Cluster.AlterConfigs(s.ctx, []state.AlterConfigs{{Resource: topicRes(name), Changes: []state.ConfigChange{{Name: "follower.replication.throttled.replicas", Value: &value}}}})
		if err != nil || errs[0] == nil {
			s.Errorf("a value of %s was taken: %v %v", what, errs, err)
		}
	}
}

// throttleRates: a broker's rate is its own, the default's is everybody's, and
// the more specific wins.
func throttleRates(s *suite) {
	const key = "follower.replication.throttled.rate"
	s.resetAtEnd(brokerRes(2), key)
	s.resetAtEnd(allBrokers, key)
	s.set(brokerRes(2), key, "1000000")
	if got, _ := s.config(brokerRes(2), key); got.Source != state.SourceBroker {
		s.Errorf("a broker's own rate has the source %q", got.Source)
	}
	if got, ok := s.config(brokerRes(3), key); ok && got.Source != state.SourceDefault {
		s.Errorf("broker 3 has the rate of broker 2: %+v", got)
	}
	s.set(allBrokers, key, "2000000")
	s.await("broker 3 has the default's rate", func() string {
		if got, _ := s.config(brokerRes(3), key); got != (state.ConfigValue{Value: "2000000", Source: state.SourceCluster}) {
			return got.Value
		}
		return ""
	})
	snap, err := s.Cluster.Snapshot(s.ctx)
	s.must(err)
	if got := snap.Broker(2).Config[key]; got != (state.ConfigValue{Value: "1000000", Source: state.SourceBroker}) {
		s.Errorf("in the snapshot, broker 2 has the rate %+v", got)
	}
	value := "3000000"
	errs, err := s.Cluster.AlterConfigs(s.ctx, []state.AlterConfigs{
		{Resource: brokerRes(4), Changes: []state.ConfigChange{{Name: key, Value: &value}}},
		{Resource: brokerRes(99), Changes: []state.ConfigChange{{Name: key, Value: &value}}},
		{Resource: brokerRes(5), Changes: []state.ConfigChange{{Name: key, Value: &value}}},
	})
	s.resetAtEnd(brokerRes(4), key)
	s.resetAtEnd(brokerRes(5), key)
	s.refused("rates of several brokers", []int16{0, 8, 0}, errs, err)
}
