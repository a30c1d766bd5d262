package config

import (
	"fmt"
	"sort"
	"strings"

	"ballast/state"
)

// ruleClass: a class has to be declared.
func ruleClass(c *checked) []Diagnostic {
	name := c.topic.Replicas.Class
	if name == "" || c.class() != nil {
		return nil
	}
	var names []string
	for _, class := range c.desired.Classes {
		names = append(names, class.Name)
	}
	detail := fmt.Sprintf("There is no broker_class %s.%s", quote(name), didYouMean(name, names))
	return []Diagnostic{fault("unknown_broker_class", "Unknown broker class", detail, c.at("replicas.class"))}
}

// knowsPlaces says whether it is known what brokers a class has. Where its block
// was wrong it is not, and that has been reported.
func (d *Desired) knowsPlaces(class string) bool {
	for _, c := range d.Classes {
		if c.Name == class {
			return c.Brokers != nil || c.Racks != nil
		}
	}
	return true
}

// class returns the topic's class, or nil.
func (c *checked) class() *BrokerClass {
	if c.topic.Replicas.Class == "" {
		return nil
	}
	for i := range c.desired.Classes {
		if c.desired.Classes[i].Name == c.topic.Replicas.Class {
			return &c.desired.Classes[i]
		}
	}
	return nil
}

// ruleEnoughBrokers: no broker holds two replicas of a partition.
func ruleEnoughBrokers(c *checked) []Diagnostic {
	list, path := c.brokers()
	rf := c.topic.ReplicationFactor
	if list == nil {
		return nil
	}
	left := []state.BrokerID{}
	for _, id := range list {
		if !c.draining(id) {
			left = append(left, id)
		}
	}
	if len(left) > 0 && rf <= len(left) {
		return nil
	}
	verb := "do"
	if len(left) == 1 {
		verb = "does"
	}
	detail := fmt.Sprintf("No broker holds two replicas of a partition, and %s leaves %s that %s not drain.", c.leftOutBy(path), plural(len(left), "%d broker"), verb)
	if rf > 0 {
		detail += fmt.Sprintf(" replication_factor is %d (%s).", rf, place(c.at("replication_factor")))
	}
	return []Diagnostic{fault("too_few_brokers", "Too few brokers", detail, c.at(path))}
}

// brokers returns the brokers that the topic names, by itself and by its class,
// and which attribute does; nil where it names none.
func (c *checked) brokers() ([]state.BrokerID, string) {
	list, path := c.topic.Replicas.Brokers, "replicas.brokers"
	class := c.class()
	if class == nil || class.Brokers == nil {
		return list, path
	}
	if list == nil {
		return class.Brokers, "replicas.class"
	}
	both := []state.BrokerID{}
	for _, id := range list {
		if state.Contains(class.Brokers, id) {
			both = append(both, id)
		}
	}
	return both, path
}

// leftOutBy names the attributes that say which brokers the topic may use.
func (c *checked) leftOutBy(path string) string {
	words := fmt.Sprintf("%s (%s)", path, place(c.at(path)))
	if class := c.class(); path == "replicas.brokers" && class != nil && class.Brokers != nil {
		words += fmt.Sprintf(" together with replicas.class (%s)", place(c.at("replicas.class")))
	}
	return words
}

func (c *checked) draining(id state.BrokerID) bool {
	for _, b := range c.desired.Brokers {
		if b.ID == id {
			return b.Drain
		}
	}
	return false
}

// rulePerRack: the numbers add up to the replication factor, in racks that the
// topic may use.
func rulePerRack(c *checked) []Diagnostic {
	r, rf := c.topic.Replicas, c.topic.ReplicationFactor
	if r.PerRack == nil {
		return nil
	}
	var out []Diagnostic
	total := 0
	for _, rack := range sortedKeys(r.PerRack) {
		total += r.PerRack[rack]
		if r.Racks != nil && r.PerRack[rack] > 0 && !contains(r.Racks, rack) {
			out = append(out, fault("invalid_per_rack", "Invalid per_rack",
				fmt.Sprintf("per_rack puts replicas into rack %s, which replicas.racks (%s) leaves out.%s", quote(rack), place(c.at("replicas.racks")), didYouMean(rack, r.Racks)), c.at("replicas.per_rack")))
		}
	}
	if rf != 0 && total != rf {
		out = append(out, fault("invalid_per_rack", "Invalid per_rack",
			fmt.Sprintf("per_rack adds up to %s, and replication_factor is %d (%s).", plural(total, "%d replica"), rf, place(c.at("replication_factor"))), c.at("replicas.per_rack")))
	}
	return out
}

// rulePin: a pin is a list of the topic's size, of a partition that it has, on
// brokers that it may use.
func rulePin(c *checked) []Diagnostic {
	t := c.topic
	var wrong []string
	partitions := make([]int32, 0, len(t.Replicas.Pin))
	for p := range t.Replicas.Pin {
		partitions = append(partitions, p)
	}
	sort.Slice(partitions, func(i, j int) bool { return partitions[i] < partitions[j] })
	allowed, path := c.brokers()
	for _, p := range partitions {
		list := t.Replicas.Pin[p]
		if t.Partitions != 0 && int(p) >= t.Partitions {
			wrong = append(wrong, fmt.Sprintf("There is no partition %d: partitions is %d (%s).", p, t.Partitions, place(c.at("partitions"))))
		}
		if t.ReplicationFactor != 0 && len(list) != t.ReplicationFactor {
			wrong = append(wrong, fmt.Sprintf("Partition %d is pinned to %s, and replication_factor is %d (%s).", p, plural(len(list), "%d broker"), t.ReplicationFactor, place(c.at("replication_factor"))))
		}
		for _, id := range list {
			switch {
			case c.draining(id):
				wrong = append(wrong, fmt.Sprintf("Partition %d is pinned to broker %d, which drains.", p, id))
			case len(allowed) > 0 && !state.Contains(allowed, id):
				wrong = append(wrong, fmt.Sprintf("Partition %d is pinned to broker %d, which is left out by %s.", p, id, c.leftOutBy(path)))
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	const most = 5
	if len(wrong) > most {
		wrong = append(wrong[:most], fmt.Sprintf("And so on, %d in all.", len(wrong)))
	}
	return []Diagnostic{fault("invalid_pin", "Invalid pin", strings.Join(wrong, "\n"), c.at("replicas.pin"))}
}

// ruleLeaderPlaces: where no replica may be no leader can be.
func ruleLeaderPlaces(c *checked) []Diagnostic {
	var out []Diagnostic
	if l := c.topic.Leaders; l.Required && l.Racks == nil && l.Brokers == nil {
		out = append(out, fault("invalid_leaders", "Nothing is required", "leaders.required makes leaders.racks and leaders.brokers a rule, and neither is there.", c.at("leaders.required")))
	}
	if racks := c.topic.Replicas.Racks; racks != nil {
		for _, rack := range c.topic.Leaders.Racks {
			if !contains(racks, rack) {
				out = append(out, fault("invalid_leaders", "Leaders where no replica may be",
					fmt.Sprintf("leaders.racks has %s, which replicas.racks (%s) leaves out.%s", quote(rack), place(c.at("replicas.racks")), didYouMean(rack, racks)), c.at("leaders.racks")))
			}
		}
	}
	allowed, path := c.brokers()
	for _, id := range c.topic.Leaders.Brokers {
		if len(allowed) > 0 && !state.Contains(allowed, id) {
			out = append(out, fault("invalid_leaders", "Leaders where no replica may be",
				fmt.Sprintf("leaders.brokers has %d, which is left out by %s.", id, c.leftOutBy(path)), c.at("leaders.brokers")))
		}
	}
	return out
}
