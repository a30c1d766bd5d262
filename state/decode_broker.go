package state

import (
	"fmt"
	"math"
)

// whole bytes, as an error wants them.
const wantBytes = "a number of bytes (a whole number from 0)"

func (d *decoder) size() Size { return KnownSize(d.integer(0, math.MaxInt64, wantBytes)) }

// brokerID reads a broker's id.
func (d *decoder) brokerID() BrokerID {
	return BrokerID(d.integer(0, math.MaxInt32, "a broker's id (a whole number from 0 to 2147483647)"))
}

// brokers reads the list of brokers.
func (d *decoder) brokers(s *Snapshot) {
	met := map[BrokerID]bool{}
	d.list("a list of brokers", func() {
		d.space()
		at := d.pos
		b := d.broker()
		if d.err == nil && met[b.ID] {
			d.fail(at, "broker %d is listed twice", b.ID)
		}
		met[b.ID] = true
		s.Brokers = append(s.Brokers, b)
	})
	sortBrokers(s.Brokers)
}

func (d *decoder) broker() Broker {
	var b Broker
	seen := d.record("a broker", d.fields.broker, func(key []byte, at int) {
		switch string(key) {
		case "id":
			b.ID = d.brokerID()
		case "rack":
			b.Rack = d.str("a rack's name in quotes")
		case "host":
			b.Host = d.str("a host's name in quotes")
		case "port":
			b.Port = int(d.integer(0, math.MaxUint16, "a port's number"))
		case "alive":
			b.Alive = d.boolean()
		case "log_dirs":
			b.LogDirs = d.logDirs()
		case "config":
			b.Config = d.config()
		}
	})
	d.require("a broker", seen, d.fields.broker, "id", "alive")
	if err := b.normalize(); err != nil {
		d.fail(d.pos-1, "%w", err)
	}
	return b
}

// logDirs reads a broker's log dirs; no log dirs is an empty list, not nil.
func (d *decoder) logDirs() []LogDir {
	dirs := []LogDir{}
	d.list("a list of log dirs", func() {
		var dir LogDir
		seen := d.record("a log dir", d.fields.logDir, func(key []byte, at int) {
			switch string(key) {
			case "path":
				dir.Path = d.str("a path in quotes")
			case "total_bytes":
				dir.Total = d.size()
			case "usable_bytes":
				dir.Usable = d.size()
			case "offline":
				dir.Offline = d.boolean()
			}
		})
		d.require("a log dir", seen, d.fields.logDir, "path")
		dirs = append(dirs, dir)
	})
	return dirs
}

// config reads configs; none is an empty map, not nil.
func (d *decoder) config() map[string]ConfigValue {
	configs := map[string]ConfigValue{}
	d.object("configs (an object)", func(key []byte, at int) {
		name := d.intern(key)
		if _, twice := configs[name]; twice {
			d.fail(at, "the config %q is given twice", name)
			return
		}
		configs[name] = d.configValue(name)
	})
	return configs
}

func (d *decoder) configValue(name string) ConfigValue {
	var v ConfigValue
	seen := d.record("a config's value", d.fields.value, func(key []byte, _ int) {
		if string(key) == "value" {
			v.Value = d.str("a config's value in quotes")
			return
		}
		d.space()
		at := d.pos
		v.Source = ConfigSource(d.str("a config's source in quotes"))
		if d.err == nil && !v.Source.known() {
			d.fail(at, "%w", badSource(name, v.Source))
		}
	})
	d.require(fmt.Sprintf("the value of the config %q", name), seen, d.fields.value, "value", "source")
	return v
}

// known says whether the source is one of Kafka's that a snapshot may have.
func (c ConfigSource) known() bool {
	switch c {
	case SourceTopic, SourceBroker, SourceCluster, SourceStatic, SourceDefault:
		return true
	}
	return false
}

func badSource(name string, got ConfigSource) error {
	return fmt.Errorf("the config %q has the source %q; a source is topic, broker, cluster, static or default", name, got)
}
