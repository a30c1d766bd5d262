package kafka

import (
	"context"
	"fmt"

	"ballast/state"
)

// checkTopic refuses a topic that is there already and would not keep a
// journal's records, or not in their order.
func (l *Log) checkTopic(ctx context.Context, t *state.Topic) error {
	if len(t.Partitions) != 1 {
		return fmt.Errorf("the journal's topic %q has %d partitions; it needs to have one", t.Name, len(t.Partitions))
	}
	const key = "cleanup.policy"
	topic := state.ConfigResource{Type: state.TopicResource, Name: t.Name}
	values, errs, err := l.client.Configs(ctx, []state.ConfigResource{topic}, []string{key})
	if err == nil {
		err = errs[0]
	}
	if err != nil {
		return fmt.Errorf("reading the configs of the journal's topic %q: %w", t.Name, err)
	}
	if policy := values[0][key].Value; policy != "compact" {
		return fmt.Errorf("the journal's topic %q has %s=%s, so that its records would go: set it to compact with kafka-configs, or name another topic", t.Name, key, policy)
	}
	return nil
}
