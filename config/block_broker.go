package config

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"ballast/state"
)

// brokers reads the broker blocks.
func (l *loader) brokers(blocks []*hclsyntax.Block, d *Desired) {
	places := map[state.BrokerID][]hcl.Range{}
	for _, b := range blocks {
		id, ok := l.brokerLabel(b)
		if !ok {
			continue
		}
		places[id] = append(places[id], b.DefRange())
		if len(places[id]) > 1 {
			continue
		}
		broker := Broker{ID: id, Weight: 1, Source: sourceOf(b.DefRange())}
		s := l.decode(b.Body, brokerBlock, l.ctx, "").out
		get(s, "drain", &broker.Drain)
		get(s, "rack", &broker.Rack)
		get(s, "weight", &broker.Weight)
		d.Brokers = append(d.Brokers, broker)
	}
	for id, at := range places {
		if len(at) > 1 {
			l.add(declaredTwice(fmt.Sprintf("broker %d", id), "duplicate_broker", at))
		}
	}
	sort.Slice(d.Brokers, func(i, j int) bool { return d.Brokers[i].ID < d.Brokers[j].ID })
}

func (l *loader) brokerLabel(b *hclsyntax.Block) (state.BrokerID, bool) {
	label := b.Labels[0]
	n, err := strconv.ParseInt(label, 10, 32)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != label {
		l.add(fault("invalid_broker_id", "Invalid broker id", fmt.Sprintf("The label of a broker block is its id, a whole number from 0; %s is not one.", quote(label)), b.LabelRanges[0]))
		return 0, false
	}
	return state.BrokerID(n), true
}

// classes reads the broker_class blocks.
func (l *loader) classes(blocks []*hclsyntax.Block, d *Desired) {
	places := map[string][]hcl.Range{}
	for _, b := range blocks {
		c := BrokerClass{Name: b.Labels[0], Source: sourceOf(b.DefRange())}
		places[c.Name] = append(places[c.Name], b.DefRange())
		decoded := l.decode(b.Body, brokerClassBlock, l.ctx, "")
		get(decoded.out, "brokers", &c.Brokers)
		get(decoded.out, "racks", &c.Racks)
		if (c.Brokers == nil) == (c.Racks == nil) && !decoded.bad() {
			l.add(fault("invalid_broker_class", "Invalid broker class", "A broker class is either brokers or racks: give one of the two.", b.DefRange()))
			c.Brokers, c.Racks = nil, nil // which of them is not known
		}
		if c.Name == "" {
			l.add(fault("invalid_broker_class", "Invalid broker class", "A broker class needs a name.", b.LabelRanges[0]))
			continue
		}
		if len(places[c.Name]) == 1 {
			d.Classes = append(d.Classes, c)
		}
	}
	for _, name := range sortedKeys(places) {
		if len(places[name]) > 1 {
			l.add(declaredTwice("the broker class "+quote(name), "duplicate_broker_class", places[name]))
		}
	}
	sort.Slice(d.Classes, func(i, j int) bool { return d.Classes[i].Name < d.Classes[j].Name })
}
