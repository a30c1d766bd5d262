package planner

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ballast/config"
	"ballast/state"
)

const minISR = "min.insync.replicas"

// checkDeclared reports, before anything is placed, what of a declaration
// cannot be planned. A topic with an error is left as it is.
func (m *maker) checkDeclared() {
	var rackless []*subject
	for _, t := range m.subjects {
		if t.role != declared && t.role != placed {
			continue
		}
		m.checkCounts(t)
		m.checkReadable(t)
		m.checkKeys(t)
		m.checkMinISR(t)
		m.checkPins(t)
		if _, ok := m.spread(t.want, m.eligible(t.want)); !ok && !t.failed {
			rackless = append(rackless, t)
		}
	}
	m.failRackless(rackless)
}

// reject reports an error of a topic, for which nothing is planned then.
func (m *maker) reject(t *subject, code string, at config.Source, summary, detail string) {
	t.failed = true
	m.fail(code, t.name, at, summary, detail)
}

// checkCounts: partitions can only grow, and a new topic has to say how many.
func (m *maker) checkCounts(t *subject) {
	switch {
	case t.live == nil && t.want.Partitions == 0:
		m.reject(t, "partitions_missing", t.want.Source, fmt.Sprintf("Topic %q is new and says nothing of its partitions", t.name),
			"A topic that exists keeps the number that it has; a new one needs partitions = N.")
	case t.live == nil && t.want.ReplicationFactor == 0:
		m.reject(t, "replication_factor_missing", t.want.Source, fmt.Sprintf("Topic %q is new and says nothing of its replication factor", t.name),
			"A topic that exists keeps what it has; a new one needs replication_factor = N, here or in defaults.")
	case t.live != nil && t.want.Partitions > 0 && t.want.Partitions < len(t.live.Partitions):
		m.reject(t, "partitions_lowered", t.want.At("partitions"), fmt.Sprintf("Topic %q has %d partitions, %d are declared", t.name, len(t.live.Partitions), t.want.Partitions),
			fmt.Sprintf("Kafka cannot take partitions away. Declare partitions = %d or more; to have fewer, create another topic and move the data there.", len(t.live.Partitions)))
	}
}

// checkReadable: overrides that could not be read are not empty.
func (m *maker) checkReadable(t *subject) {
	if t.live == nil || t.live.Config != nil || t.role != declared {
		return
	}
	why := m.unread("topic_config", t.name)
	if len(t.want.Config) == 0 {
		m.warn("config_unreadable", t.name, t.want.Source, fmt.Sprintf("The configs of topic %q could not be read", t.name),
			why+" Whether it has overrides that nobody declared is not known; they are left as they are.")
		return
	}
	m.reject(t, "config_unreadable", t.want.At(firstKey(t.want)), fmt.Sprintf("The configs of topic %q could not be read", t.name),
		why+" The topic declares configs, and what they are now is not known, so nothing is planned for it. Give ballast's principal DescribeConfigs on the topic.")
}

// unread is the reason that the snapshot gives for something absent.
func (m *maker) unread(what, name string) string {
	for _, u := range m.s.Unread {
		if u.What == what && u.Name == name {
			return u.Reason + "."
		}
	}
	return "The snapshot has no configs of it."
}

func firstKey(t *config.Topic) string {
	keys := sortedKeys(t.Config)
	return "config." + keys[0]
}

func sortedKeys(c map[string]string) []string {
	out := make([]string, 0, len(c))
	for k := range c {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// checkKeys: on a live cluster the brokers tell which configs a topic has.
func (m *maker) checkKeys(t *subject) {
	known := m.brokersKeys()
	if known == nil || t.role != declared {
		return
	}
	for _, key := range sortedKeys(t.want.Config) {
		if known[key] {
			continue
		}
		detail := "The brokers of this cluster have no such topic config."
		if s := config.SuggestKey(key); s != "" && known[s] {
			detail += " Did you mean " + quoted(s) + "?"
		}
		m.reject(t, "config_key_unknown", t.want.At("config."+key), fmt.Sprintf("Unknown config %q of topic %q", key, t.name), detail)
	}
}

// brokersKeys are the topic configs that a live cluster shows; nil offline, and
// where what was read is not the whole list.
func (m *maker) brokersKeys() map[string]bool {
	if m.o.SnapshotFile != "" {
		return nil
	}
	if m.keys == nil {
		m.keys = map[string]bool{}
		for i := range m.s.Topics {
			for k := range m.s.Topics[i].Config {
				m.keys[k] = true
			}
		}
	}
	const whole = 20 // Kafka has had more topic configs than this since 1.0
	if len(m.keys) < whole {
		return nil
	}
	return m.keys
}

// checkMinISR: fewer copies than min.insync.replicas would stop all producers
// that ask for acks=all. Kafka takes it without a word.
func (m *maker) checkMinISR(t *subject) {
	if t.failed || t.role != declared {
		return
	}
	rf, had := m.factor(t), maxFactor(t.live)
	minimum, from := m.minISRAfter(t)
	if rf == 0 || minimum <= rf {
		return
	}
	_, declares := t.want.Config[minISR]
	switch {
	case t.live != nil && rf < had:
		m.reject(t, "rf_below_min_isr", t.want.At("replication_factor"),
			fmt.Sprintf("Topic %q would have %d %s, and min.insync.replicas is %d (%s)", t.name, rf, replicas(rf), minimum, from),
			fmt.Sprintf("With fewer replicas than min.insync.replicas nobody could produce with acks=all. Declare min_insync_replicas = %d or less in the same change, or keep the replicas.", rf))
	case declares:
		m.reject(t, "rf_below_min_isr", t.want.At("config."+minISR),
			fmt.Sprintf("Topic %q has %d %s and declares min_insync_replicas = %d", t.name, rf, replicas(rf), minimum),
			"With fewer replicas than min.insync.replicas nobody could produce with acks=all. Lower it, or raise replication_factor.")
	}
}

func replicas(n int) string {
	if n == 1 {
		return "replica"
	}
	return "replicas"
}

// minISRAfter is the min.insync.replicas that a topic has after the plan and
// where it comes from; 0 where that is not known.
func (m *maker) minISRAfter(t *subject) (n int, from string) {
	if v, ok := t.want.Config[minISR]; ok {
		n, _ = strconv.Atoi(strings.TrimSpace(v))
		return n, "declared"
	}
	if t.live != nil && t.live.Config == nil {
		return 0, ""
	}
	if v, ok := override(orEmpty(t.live), minISR); ok && foreign(minISR, t.want.IgnoreConfig) {
		n, _ = strconv.Atoi(v)
		return n, "an override that ignore_config leaves alone"
	}
	v, _ := m.inherits.presumed(minISR)
	if t.live != nil {
		if own, ok := t.live.Config[minISR]; ok && own.Source != state.SourceTopic {
			v = own.Value
		}
	}
	n, _ = strconv.Atoi(v)
	return n, "inherited from the brokers"
}

func orEmpty(t *state.Topic) *state.Topic {
	if t == nil {
		return &state.Topic{}
	}
	return t
}

// factor is the replication factor that a topic is to have: the declared one,
// or else the one that most of its partitions have.
func (m *maker) factor(t *subject) int {
	if t.want != nil && t.want.ReplicationFactor > 0 {
		return t.want.ReplicationFactor
	}
	return usualFactor(t.live)
}

// usualFactor is the number of replicas that most partitions have, the larger
// one of two that are as frequent; 0 of a topic that does not exist.
func usualFactor(t *state.Topic) int {
	count, best := map[int]int{}, 0
	if t == nil {
		return 0
	}
	for i := range t.Partitions {
		n := len(t.Partitions[i].Replicas) - len(t.Partitions[i].Removing)
		count[n]++
	}
	for n, c := range count {
		if best == 0 || c > count[best] || c == count[best] && n > best {
			best = n
		}
	}
	return best
}

func maxFactor(t *state.Topic) int {
	most := 0
	if t == nil {
		return 0
	}
	for i := range t.Partitions {
		most = max(most, len(t.Partitions[i].Target()))
	}
	return most
}

// checkPins: an exact list has to be possible as it stands.
func (m *maker) checkPins(t *subject) {
	if t.failed || t.role != declared {
		return
	}
	count := m.count(t)
	for _, p := range sortedPins(t.want.Replicas.Pin) {
		pin := t.want.Replicas.Pin[p]
		at := t.want.At("replicas.pin")
		if int(p) >= count || p < 0 {
			m.reject(t, "pin_no_partition", at, fmt.Sprintf("Topic %q pins partition %d, which it does not have", t.name, p),
				fmt.Sprintf("It has partitions 0 to %d.", count-1))
			continue
		}
		if rf := t.want.ReplicationFactor; rf > 0 && len(pin) != rf || len(pin) == 0 {
			m.reject(t, "pin_length", at, fmt.Sprintf("The pin of %s-%d has %d %s, replication_factor is %d", t.name, p, len(pin), replicas(len(pin)), rf),
				"A pin is the partition's whole replica list.")
			continue
		}
		m.checkPin(t, p, pin, at)
	}
}

func (m *maker) checkPin(t *subject, p int32, pin []state.BrokerID, at config.Source) {
	for i, b := range pin {
		if state.Contains(pin[:i], b) {
			m.reject(t, "pin_repeats", at, fmt.Sprintf("The pin of %s-%d names broker %d twice", t.name, p, b), "A broker holds one replica of a partition.")
			return
		}
		if why := m.ineligible(t.want, b); why != "" {
			m.reject(t, "pin_not_eligible", at, fmt.Sprintf("The pin of %s-%d names broker %d, which %s", t.name, p, b, why),
				"A pin may only name brokers that the topic's replicas may be on: alive, not draining, and allowed by racks, brokers and class.")
			return
		}
	}
}

func sortedPins(pins map[int32][]state.BrokerID) []int32 {
	out := make([]int32, 0, len(pins))
	for p := range pins {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// count is how many partitions a topic is to have.
func (m *maker) count(t *subject) int {
	n := 0
	if t.live != nil {
		n = len(t.live.Partitions)
	}
	if t.want != nil && t.role != placed {
		n = max(n, t.want.Partitions)
	}
	return n
}

// failRackless reports topics whose rack rule cannot be told or kept, since
// brokers have no rack: once, at the first of them.
func (m *maker) failRackless(topics []*subject) {
	if len(topics) == 0 {
		return
	}
	brokers := map[state.BrokerID]bool{}
	for _, t := range topics {
		t.failed = true
		eligible := m.eligible(t.want)
		for _, b := range m.racklessOf(eligible) {
			brokers[b] = true
		}
		if t.want.Replicas.RackSpread == config.SpreadDefault {
			rackless, _ := m.net.rackless()
			for _, b := range rackless {
				brokers[b] = true
			}
		}
	}
	ids := make([]state.BrokerID, 0, len(brokers))
	for b := range brokers {
		ids = append(ids, b)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	first := topics[0]
	m.fail("rack_missing", first.name, first.want.At("replicas.rack_spread"),
		"Brokers without a rack: "+join(ids), fmt.Sprintf(
			"Replicas cannot be spread over racks while these brokers have none, so nothing is planned for %s. Set broker.rack on them, or declare rack_spread = \"none\" for topics that need no racks.", nameSome(topics)))
}

// nameSome names topics, the first few of many.
func nameSome(topics []*subject) string {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	return some(names)
}

// some lists a few of many names, quoted.
func some(names []string) string {
	const most = 10
	var out []string
	for i, n := range names {
		if i == most {
			out = append(out, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		out = append(out, quoted(n))
	}
	return strings.Join(out, ", ")
}

func join(ids []state.BrokerID) string {
	var out []string
	for _, id := range ids {
		out = append(out, fmt.Sprint(id))
	}
	return strings.Join(out, ", ")
}
