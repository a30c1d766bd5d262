package planner

import (
	"fmt"
	"sort"
	"strings"

	"ballast/config"
	"ballast/state"
)

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
		if m.refused == nil {
			m.refused = map[refusedKey]bool{}
		}
		m.refused[refusedKey{t.want.At("config." + key), key}] = true
		detail := "The brokers of this cluster have no such topic config."
		if s := config.SuggestKey(key); s != "" && known[s] {
			detail += " Did you mean " + quoted(s) + "?"
		}
		m.reject(t, "config_key_unknown", t.want.At("config."+key), fmt.Sprintf("Unknown config %q of topic %q", key, t.name), detail)
	}
}

// knownBetter says whether the configuration's warning of a config that Kafka
// does not have is told as an error here, of the same key in the same line.
func (m *maker) knownBetter(d *config.Diagnostic) bool {
	if d.Code != "unknown_config_key" && d.Code != "vendor_config_key" {
		return false
	}
	for k := range m.refused {
		if k.at.File == d.File && k.at.Line == d.Line && strings.Contains(d.Detail, quoted(k.key)) {
			return true
		}
	}
	return false
}

// refusedKey is a config that the brokers do not know, where it is declared.
type refusedKey struct {
	at  config.Source
	key string
}

// brokersKeys are the topic configs that a live cluster shows; nil offline, and
// where what was read is not the whole list.
func (m *maker) brokersKeys() map[string]bool {
	if m.o.SnapshotFile != "" {
		return nil
	}
	if m.keys == nil {
		m.keys = topicKeys(m.s)
		for _, key := range m.o.TopicKeys {
			m.keys[key] = true
		}
	}
	if len(m.keys) < wholeKeys {
		return nil
	}
	return m.keys
}

// wholeKeys is how many topic configs are the whole list: Kafka has had more
// than this since 1.0.
const wholeKeys = 20

// ShowsTopicKeys says whether the topics of a live cluster show which topic
// configs the brokers know. Where they do not, as there are none,
// Options.TopicKeys should.
func ShowsTopicKeys(s *state.Snapshot) bool { return len(topicKeys(s)) >= wholeKeys }

func topicKeys(s *state.Snapshot) map[string]bool {
	keys := map[string]bool{}
	for i := range s.Topics {
		for k := range s.Topics[i].Config {
			keys[k] = true
		}
	}
	return keys
}
