package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ballast/state/clustertest/realkafka"
	"ballast/state/kafka"
)

const realPassword = "s3same-open"

// TestAnotherMachineFinishesOnRealKafka: over TLS and SCRAM, with the journal in
// the cluster, a run is killed in a batch, and a run from another directory
// adopts what is in flight and finishes it.
func TestAnotherMachineFinishesOnRealKafka(t *testing.T) {
	s := newSecureStory(t)
	s.declares(1)
	s.ballast(exitDone, "apply", "-auto-approve")
	s.fill("orders", 4, 5_000_000)
	if out := s.tool(realkafka.TopicCommand, "--describe", "--topic", "ballast-journal"); !strings.Contains(out, "cleanup.policy=compact") || !strings.Contains(out, "min.insync.replicas=2") || !strings.Contains(out, "ReplicationFactor: 3") {
		t.Errorf("kafka-topics says of the journal's topic:\n%s", out)
	}

	s.declares(2)
	cmd, out := s.command("apply", "-auto-approve", "-throttle", "200kB/s")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.movesAreInFlight()
	cmd.Process.Kill()
	cmd.Wait()
	s.elsewhere()
	refused := s.ballast(exitError, "apply", "-auto-approve")
	host, _ := os.Hostname()
	if !strings.Contains(refused, "another run holds the lock") || !strings.Contains(refused, " on "+host+" ") {
		t.Errorf("the next run is told:\n%s", refused)
	}
	// The dead run holds the lock until its session has expired.
	status := s.ballast(exitDone, "status")
	if told := strings.Contains(status, "An apply is at work") || strings.Contains(status, "An apply has not ended"); !told || !strings.Contains(status, "(ballast's)") {
		t.Errorf("status says:\n%s", status)
	}
	again := s.ballast(exitDone, "apply", "-auto-approve", "-lock-timeout", "2m")
	s.Logf("killed:\n%s\nrefused:\n%s\nand finished elsewhere:\n%s", out, refused, again)
	s.settled()
	for id, list := range s.describe("orders") {
		if len(list) != 2 {
			t.Errorf("orders-%d is on %v", id, list)
		}
	}
	s.mayNotReadConfigs()
	s.refusesCredentials()
}

// newSecureStory has three brokers that ballast reaches by their secure
// listeners alone.
func newSecureStory(t *testing.T) *story {
	realkafka.Require(t)
	a := newAuthority(t)
	_, _, certificate, key := a.issue(false)
	s := &story{T: t, dir: t.TempDir()}
	s.kafka = realkafka.Start(t, realkafka.Options{Brokers: 3, Config: authorized, Secure: &realkafka.Secure{User: "me", Password: realPassword, Certificate: string(certificate), Key: string(key)}})
	s.binary = filepath.Join(t.TempDir(), "ballast")
	if out, err := exec.Command("go", "build", "-o", s.binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	client, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: s.kafka.Bootstrap()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	s.client = client
	s.put("ca.pem", string(a.pem))
	t.Setenv("KAFKA_PASSWORD", realPassword)
	return s
}

func (s *story) put(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// declares writes a configuration with so many copies of the topic orders.
func (s *story) declares(copies int) {
	s.Helper()
	s.put("main.hcl", fmt.Sprintf(`cluster "secure" {
  bootstrap = ["%s"]
  tls { ca_file = "ca.pem" }
  sasl {
    mechanism = "SCRAM-SHA-512"
    username  = "me"
    password  = env("KAFKA_PASSWORD")
  }
}
journal { backend = "kafka" }
apply {
  throttle    = "50MB/s"
  gate_settle = "2s"
}
topic "orders" {
  partitions         = 4
  replication_factor = %d
}
`, strings.Join(s.kafka.SecureBootstrap(), `", "`), copies))
}

// elsewhere goes on in another directory, with the configuration alone.
func (s *story) elsewhere() {
	s.Helper()
	from := s.dir
	s.dir = s.T.TempDir()
	for _, name := range []string{"main.hcl", "ca.pem"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			s.Fatal(err)
		}
		s.put(name, string(text))
	}
	if left, _ := filepath.Glob(filepath.Join(from, ".ballast")); left != nil {
		s.Error("there is a journal beside the configuration too")
	}
}

func (s *story) refusesCredentials() {
	s.Helper()
	s.T.Setenv("KAFKA_PASSWORD", "wr0ng-word")
	if out := s.ballast(exitError, "status"); !strings.Contains(out, "The cluster refuses the credentials") || strings.Contains(out, "wr0ng-word") {
		s.Errorf("with a wrong password it says:\n%s", out)
	}
}
