package apply

import (
	"fmt"
	"strings"

	"ballast/state"
)

type brokerID = state.BrokerID

// listIDs writes a replica list as Kafka's tools do: [1 2 5].
func listIDs(ids []state.BrokerID) string { return fmt.Sprint(ids) }

// plural is "1 move" or "2 moves".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// namePartitions names the first few partitions of moves.
func namePartitions(moves []Moving) string {
	const most = 5
	var parts []string
	for i, m := range moves {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(moves)-most))
			break
		}
		parts = append(parts, m.Key().String())
	}
	return strings.Join(parts, ", ")
}

func keysOf(moves []Moving) []state.TopicPartition {
	out := make([]state.TopicPartition, len(moves))
	for i, m := range moves {
		out[i] = m.Key()
	}
	return out
}

func topicsOf(moves []Moving) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range moves {
		if !seen[m.Topic] {
			seen[m.Topic] = true
			out = append(out, m.Topic)
		}
	}
	return out
}
