package consumer

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/state"
)

// list is partitions as the cases write them.
type list []struct {
	Topic      string  `json:"topic"`
	Partitions []int32 `json:"partitions"`
}

func (l list) partitions() (out []state.TopicPartition) {
	for _, t := range l {
		for _, p := range t.Partitions {
			out = append(out, state.TopicPartition{Topic: t.Topic, Partition: p})
		}
	}
	return out
}

type lists map[string]list

func (l lists) assignment() Assignment {
	out := Assignment{}
	for id, list := range l {
		out[id] = list.partitions()
	}
	return out
}

// kafkaCase is an answer of Kafka's own class.
type kafkaCase struct {
	Assignor    Assignor         `json:"assignor"`
	Kind        string           `json:"kind"`
	Description string           `json:"description"`
	Topics      map[string]int32 `json:"topics"`
	Members     []struct {
		ID         string   `json:"id"`
		InstanceID string   `json:"instance_id"`
		Topics     []string `json:"topics"`
		Owned      list     `json:"owned"`
		Generation int32    `json:"generation"`
	} `json:"members"`
	Assignment     lists `json:"assignment"`
	Target         lists `json:"target"`
	FirstRound     lists `json:"first_round"`
	Revoked        lists `json:"revoked"`
	Rounds         int   `json:"rounds"`
	OrderSensitive bool  `json:"order_sensitive"`
}

func (c *kafkaCase) members() (out []Member) {
	for _, m := range c.Members {
		out = append(out, Member{ID: m.ID, InstanceID: m.InstanceID, Topics: m.Topics, Owned: m.Owned.partitions(), Generation: m.Generation})
	}
	return out
}

func kafkaCases(t *testing.T) (cases []kafkaCase) {
	t.Helper()
	for _, file := range []string{"testdata/assignors.json", "testdata/static.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d struct{ Cases []kafkaCase }
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, d.Cases...)
	}
	return cases
}

func TestAssignAnswersAsKafkaDoes(t *testing.T) {
	for _, c := range kafkaCases(t) {
		t.Run(fmt.Sprintf("%s/%s", c.Assignor, c.Kind), func(t *testing.T) {
			got, err := Assign(c.Assignor, c.Topics, c.members())
			if err != nil {
				t.Fatal(err)
			}
			if c.OrderSensitive {
				sameShape(t, &c, got)
				return
			}
			for _, part := range []struct {
				name      string
				want, got Assignment
			}{
				{"assignment", c.Assignment.assignment(), got.Assignment},
				{"target", c.Target.assignment(), got.Target},
				{"first round", c.FirstRound.assignment(), got.FirstRound},
				{"revoked", c.Revoked.assignment(), got.Revoked},
			} {
				if diff := cmp.Diff(part.want, part.got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s: %s: %s", c.Description, part.name, diff)
				}
			}
			if got.Rounds != c.Rounds {
				t.Errorf("%s: %d rounds, Kafka %d", c.Description, got.Rounds, c.Rounds)
			}
		})
	}
}

// sameShape compares what does not hang on the order of a hash map: how many
// each has, and how many change hands.
func sameShape(t *testing.T, c *kafkaCase, got *Result) {
	t.Helper()
	want, before := c.Assignment.assignment(), Owned(c.members())
	if diff := cmp.Diff(counts(want), counts(got.Assignment)); diff != "" {
		t.Errorf("%s: %s", c.Description, diff)
	}
	if w, g := moves(before, want), moves(before, got.Assignment); w != g {
		t.Errorf("%s: %d partitions change hands, with Kafka %d", c.Description, g, w)
	}
	if got.Rounds != c.Rounds {
		t.Errorf("%s: %d rounds, Kafka %d", c.Description, got.Rounds, c.Rounds)
	}
}

func counts(a Assignment) map[int]int {
	out := map[int]int{}
	for _, list := range a {
		out[len(list)]++
	}
	return out
}

func moves(before, after Assignment) (n int) {
	for _, c := range Compare(before, after) {
		n += len(c.Lost)
	}
	return n
}
