package config

import (
	"fmt"
	"strings"
)

// maxTopicName is the longest topic name, in characters (Kafka's Topic class).
const maxTopicName = 249

// CheckTopicName returns an error when Kafka would refuse a topic's name
// (org.apache.kafka.common.internals.Topic).
func CheckTopicName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a topic's name may not be empty")
	case name == "." || name == "..":
		return fmt.Errorf("a topic may not be called %s", quote(name))
	case len(name) > maxTopicName:
		return fmt.Errorf("the name has %d characters, and Kafka takes at most %d", len(name), maxTopicName)
	}
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)) {
			return fmt.Errorf("the name %s has the character %s; Kafka takes letters and digits of ASCII, '.', '_' and '-'", quote(name), quote(string(r)))
		}
	}
	return nil
}

func (l *loader) checkName(decl *declaration) bool {
	err := CheckTopicName(decl.name)
	if err != nil {
		l.add(fault("invalid_topic_name", "Invalid topic name", capital(sentence(err)), decl.nameAt).about(decl.name))
	}
	return err == nil
}

// capital begins a sentence.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// collisions reports names that differ only in '.' and '_': Kafka refuses the
// second of them, since its metrics could not tell them apart.
func (l *loader) collisions(topics []*declaration) {
	first := map[string]*declaration{}
	for _, decl := range topics {
		key := strings.ReplaceAll(decl.name, ".", "_")
		other := first[key]
		if other == nil {
			first[key] = decl
			continue
		}
		if other.name == decl.name {
			continue
		}
		decl.broken, other.broken = true, true
		l.add(fault("topic_name_collision", "Colliding topic names",
			fmt.Sprintf("The topics %s (%s) and %s (%s) differ only in '.' and '_'; Kafka refuses to have both.", quote(other.name), place(other.at), quote(decl.name), place(decl.at)), decl.nameAt).about(decl.name))
	}
}
