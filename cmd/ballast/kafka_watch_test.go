package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"ballast/cmd/ballast/internal/drift"
	"ballast/planner"
	"ballast/state/clustertest/realkafka"
)

// reviewedDeployedWatched is a team's day: a snapshot, a comment in a pull
// request, the merge that deploys exactly that, a watch that finds nothing,
// somebody who changes the cluster by hand, and the repair.
func (s *story) reviewedDeployedWatched(c topics) {
	s.Helper()
	snapshot, plan := filepath.Join(s.dir, "prod.json"), filepath.Join(s.dir, "reviewed.plan")
	s.ballast(exitDone, "snapshot", "-out", snapshot)
	c.auditMinISR = 2
	s.write(c)
	comment := s.ballast(exitDone, "plan", "-snapshot", snapshot, "-out", plan, "-format", "markdown")
	if !strings.HasPrefix(comment, "<!-- ballast-plan "+s.kafka.ID()+" -->\n### Changes") {
		s.Errorf("the comment is:\n%s", comment)
	}
	digest := s.digest(plan)
	s.planFile(exitError, plan, "-expect-digest", "sha256:0")
	s.planFile(exitDone, plan, "-expect-digest", digest)
	s.ballast(exitDone, "drift")

	s.tool(realkafka.ConfigCommand, "--alter", "--entity-type", "topics", "--entity-name", "payments", "--add-config", "retention.ms=60000")
	s.movedByHand("audit", 0)
	var report drift.Report
	if err := json.Unmarshal([]byte(s.ballast(exitChanges, "drift", "-json", "-against", snapshot)), &report); err != nil {
		s.Fatal(err)
	}
	for _, want := range []drift.Item{{Kind: drift.Config, Topic: "payments", Name: "retention.ms"}, {Kind: drift.Placement, Topic: "audit"}} {
		if !slices.ContainsFunc(report.Durable, func(i drift.Item) bool {
			return i.Kind == want.Kind && i.Topic == want.Topic && i.Name == want.Name && i.Origin == drift.FromCluster
		}) {
			s.Errorf("drift does not name %+v: %+v", want, report.Durable)
		}
	}
	s.ballast(exitDone, "apply", "-auto-approve")
	s.ballast(exitDone, "drift")
	s.settled()
	s.describes("audit", 2, 3)
	if out := s.tool(realkafka.ConfigCommand, "--describe", "--entity-type", "topics", "--entity-name", "payments"); strings.Contains(out, "retention.ms=60000") {
		s.Errorf("apply has not repaired what was altered by hand:\n%s", out)
	}

	s.movedByHand("audit", 0)
	s.repairedWithKafkasTool()
	s.describes("audit", 2, 3)
}

// repairedWithKafkasTool gives the plan's moves to kafka-reassign-partitions,
// after which nothing is left to repair.
func (s *story) repairedWithKafkasTool() {
	s.Helper()
	plan, moves := filepath.Join(s.T.TempDir(), "repair.plan"), filepath.Join(s.T.TempDir(), "moves.json")
	s.ballast(exitDone, "plan", "-out", plan)
	out, err := exec.Command(s.binary, "reassignment", plan).Output()
	if err == nil {
		err = os.WriteFile(moves, out, 0o644)
	}
	if err != nil {
		s.Fatal(err)
	}
	s.tool(realkafka.ReassignCommand, "--reassignment-json-file", moves, "--execute")
	s.until("Kafka's tool has moved what the plan moves", func() bool {
		cmd, text := s.command("drift", "-include", "transient")
		cmd.Run()
		return cmd.ProcessState.ExitCode() == exitDone && strings.Contains(text.String(), "No drift; ")
	})
}

func (s *story) digest(file string) string {
	s.Helper()
	f, err := os.Open(file)
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	p, err := planner.Decode(f, file)
	if err != nil {
		s.Fatal(err)
	}
	return p.Digest
}

// planFile applies a saved plan.
func (s *story) planFile(wantExit int, file string, flags ...string) {
	s.Helper()
	cmd, out := s.command(append([]string{"apply", "-config"}, s.dir)...)
	cmd.Args = append(append(cmd.Args[:len(cmd.Args)-1], flags...), file)
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != wantExit {
		s.Fatalf("apply %v exits with %d, want %d:\n%s", cmd.Args, got, wantExit, out)
	}
}

// movedByHand puts two replicas of a partition into one rack, with Kafka's own
// tool, which is what the declaration does not allow.
func (s *story) movedByHand(topic string, partition int) {
	s.Helper()
	file := filepath.Join(s.T.TempDir(), "by-hand.json")
	doc := fmt.Sprintf(`{"version":1,"partitions":[{"topic":%q,"partition":%d,"replicas":[1,2,3]}]}`, topic, partition)
	if err := os.WriteFile(file, []byte(doc), 0o644); err != nil {
		s.Fatal(err)
	}
	s.tool(realkafka.ReassignCommand, "--reassignment-json-file", file, "--execute")
	s.until("the move by hand has ended", func() bool {
		moves, err := s.client.Reassignments(s.Context())
		return err == nil && len(moves) == 0 && slices.Equal(s.rows(topic)[partition].replicas, []int{1, 2, 3})
	})
}
