package planner

import (
	"fmt"

	"ballast/config"
	"ballast/state"
)

// checkNames refuses to plan topics whose replicas are bound to a rack or a
// broker that neither the cluster has nor a broker block declares: a slip of
// the pen would move replicas off elsewhere. One line may bind many topics, so
// each such name is told once where it stands.
func (m *maker) checkNames() {
	var order []unknownName
	topics := map[unknownName][]*subject{}
	for _, t := range m.subjects {
		if t.role != declared && t.role != placed {
			continue
		}
		for _, u := range m.unknownNames(t) {
			if topics[u] == nil {
				order = append(order, u)
			}
			topics[u] = append(topics[u], t)
		}
	}
	for _, u := range order {
		m.failName(u, topics[u])
	}
}

// unknownName is the name of a rack or, where that is "", a broker that there
// is not, and what names it.
type unknownName struct {
	at     config.Source
	rule   string
	rack   string
	broker state.BrokerID
}

func (u unknownName) String() string {
	if u.rack != "" {
		return "rack " + quoted(u.rack)
	}
	return fmt.Sprintf("broker %d", u.broker)
}

// unknownNames are those that a topic's rules on replicas have.
func (m *maker) unknownNames(t *subject) []unknownName {
	var out []unknownName
	racks := func(rule string, at config.Source, names []string) {
		for _, rack := range names {
			if !m.hasRack(rack) && !m.declaresRack(rack) {
				out = append(out, unknownName{at: at, rule: rule, rack: rack})
			}
		}
	}
	brokers := func(rule string, at config.Source, ids []state.BrokerID) {
		for _, id := range ids {
			if _, ok := m.net.index[id]; !ok && !m.declaresBroker(id) {
				out = append(out, unknownName{at: at, rule: rule, broker: id})
			}
		}
	}
	r := &t.want.Replicas
	racks("replicas.racks", t.want.At("replicas.racks"), r.Racks)
	racks("replicas.per_rack", t.want.At("replicas.per_rack"), usedRacks(r.PerRack))
	brokers("replicas.brokers", t.want.At("replicas.brokers"), r.Brokers)
	for i := range m.d.Classes {
		if c := &m.d.Classes[i]; c.Name == r.Class {
			racks("broker_class "+quoted(c.Name), c.Source, c.Racks)
			brokers("broker_class "+quoted(c.Name), c.Source, c.Brokers)
		}
	}
	return out
}

// usedRacks are the racks that get any replica, by name.
func usedRacks(perRack map[string]int) []string {
	set := map[string]string{}
	for rack, n := range perRack {
		if n > 0 {
			set[rack] = ""
		}
	}
	return sortedKeys(set)
}

func (m *maker) declaresRack(rack string) bool {
	for _, b := range m.d.Brokers {
		if b.Rack == rack {
			return true
		}
	}
	return false
}

func (m *maker) declaresBroker(id state.BrokerID) bool {
	for _, b := range m.d.Brokers {
		if b.ID == id {
			return true
		}
	}
	return false
}

// failName reports a name that there is not, and leaves the topics as they are
// that it binds.
func (m *maker) failName(u unknownName, topics []*subject) {
	code, detail := "no_such_rack", m.racksThereAre(u.rack)
	if u.rack == "" {
		code, detail = "no_such_broker", "The cluster's brokers are "+join(m.net.ids)+"."
	}
	m.fail(code, topics[0].name, u.at, fmt.Sprintf("There is no %s, which %s names", u, u.rule),
		fmt.Sprintf("%s Nothing is planned for %s, since replicas would be moved elsewhere. A broker that is yet to come, or is down and forgotten, is declared with a broker block.", detail, nameSome(topics)))
	for _, t := range topics {
		t.failed = true
		t.blame = append(t.blame, m.diags[len(m.diags)-1])
	}
}
