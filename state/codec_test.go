package state

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// small is a document of two brokers and one topic; tests change words in it.
const small = `{"format":"ballast-snapshot","version":1,"cluster_id":"c","taken_at":"2026-01-01T00:00:00Z",
"brokers":[
 {"id":1,"rack":"r1","host":"h","port":9092,"alive":true,"log_dirs":[{"path":"/d","total_bytes":10,"usable_bytes":5}],"config":{"x":{"value":"1","source":"broker"}}},
 {"id":2,"alive":false}],
"topics":[
 {"name":"t","internal":false,"partitions":[
  {"id":0,"replicas":[2,1],"isr":[2,1],"leader":1,"adding":[],"removing":[],"bytes":7},
  {"id":1,"replicas":[1,2],"isr":[],"leader":-1}],
  "config":{}}]}`

func decode(t *testing.T, text string) (*Snapshot, []string) {
	t.Helper()
	s, warnings, err := Decode(strings.NewReader(text), "s.json")
	if err != nil {
		t.Fatal(err)
	}
	return s, warnings
}

func TestDecodeKeepsWhatIsKnownAndLeavesOutWhatIsNot(t *testing.T) {
	got, warnings := decode(t, small)
	want := &Snapshot{
		ClusterID: "c",
		TakenAt:   time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Brokers: []Broker{
			{ID: 1, Rack: "r1", Host: "h", Port: 9092, Alive: true,
				LogDirs: []LogDir{{Path: "/d", Total: KnownSize(10), Usable: KnownSize(5)}},
				Config:  map[string]ConfigValue{"x": {"1", SourceBroker}}},
			{ID: 2},
		},
		Topics: []Topic{{Name: "t", Config: map[string]ConfigValue{}, Partitions: []Partition{
			{ID: 0, Replicas: []BrokerID{2, 1}, ISR: []BrokerID{1, 2}, Leader: 1, Size: KnownSize(7)},
			{ID: 1, Replicas: []BrokerID{1, 2}, Leader: NoLeader},
		}}},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(warnings) > 0 {
		t.Errorf("%s\n%v", diff, warnings)
	}
}

func TestDecodeWarnsOfEachUnknownFieldOnce(t *testing.T) {
	text := strings.ReplaceAll(small, `"isr"`, `"epoch":{"a":[1.5e3,null,true,"\u00e9"]},"isr"`)
	_, warnings := decode(t, text)
	want := []string{`s.json:7:28: the field "epoch" of a partition is unknown to this version and is ignored`}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeTellsAFewUnknownFieldsOnly(t *testing.T) {
	var b strings.Builder
	for i := range 100 {
		b.WriteString(`"f` + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `":1,`)
	}
	_, warnings := decode(t, strings.Replace(small, `"internal"`, b.String()+`"internal"`, 1))
	if len(warnings) != maxWarnings+1 || !strings.Contains(warnings[maxWarnings], "more unknown fields") {
		t.Errorf("%d warnings, the last: %s", len(warnings), warnings[len(warnings)-1])
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"another version", `"version":1`, `"version":2`, `s.json:1:40: the snapshot has version 2, but this ballast reads version 1 only`},
		{"another format", `"ballast-snapshot"`, `"ballast-plan"`, `s.json:1:11: the format is "ballast-plan", but a snapshot has "ballast-snapshot"`},
		{"no format", `"format":"ballast-snapshot",`, ``, `lacks "format": "ballast-snapshot" or "version": 1`},
		{"version as text", `"version":1`, `"version":"1"`, `expected the version's number, found a string`},
		{"wrong type", `"replicas":[2,1]`, `"replicas":"2,1"`, `s.json:7:22: expected a list of broker ids, found a string; write it again`},
		{"number as text", `"bytes":7`, `"bytes":"7"`, `found a string`},
		{"a fraction", `"bytes":7`, `"bytes":7.5`, `found another kind of number`},
		{"an exponent", `"bytes":7`, `"bytes":7e3`, `found another kind of number`},
		{"bytes below zero", `"bytes":7`, `"bytes":-7`, `found -7`},
		{"bytes beyond 64 bits", `"bytes":7`, `"bytes":99999999999999999999`, `found 99999999999999999999`},
		{"bytes beyond all measure", `"bytes":7`, `"bytes":9223372036854775807`, `which none does`},
		{"a word for a bool", `"alive":true`, `"alive":yes`, `expected true or false, found "yes"`},
		{"id beyond 32 bits", `"id":2,"alive"`, `"id":2147483648,"alive"`, `s.json:4:8: expected a broker's id`},
		{"id below zero", `"id":2,"alive"`, `"id":-2,"alive"`, `found -2`},
		{"id null", `"id":2,"alive"`, `"id":null,"alive"`, `a broker lacks the field "id"`},
		{"broker twice", `"id":2,"alive"`, `"id":1,"alive"`, `s.json:4:2: broker 1 is listed twice`},
		{"no isr", `"isr":[],`, ``, `a partition lacks the field "isr"`},
		{"no topics", `"topics"`, `"subjects"`, `the document lacks the field "topics"`},
		{"partition twice", `"id":1,"replicas"`, `"id":0,"replicas"`, `s.json:8:3: topic "t": partition 0 is listed twice`},
		{"a gap", `"id":1,"replicas"`, `"id":2,"replicas"`, `s.json:8:3: topic "t": partition 1 is missing, the next one has the id 2`},
		{"replica twice", `"replicas":[2,1]`, `"replicas":[2,2]`, `s.json:7:3: partition 0: the replica on broker 2 is listed twice`},
		{"no replicas", `"replicas":[2,1]`, `"replicas":[]`, `partition 0: it has no replicas`},
		{"a foreign leader", `"leader":1`, `"leader":3`, `partition 0: the leader 3 is not among the replicas [2 1]`},
		{"a foreign isr", `"isr":[2,1]`, `"isr":[2,3]`, `the in-sync replica 3 is not among the replicas [2 1]`},
		{"isr twice", `"isr":[2,1]`, `"isr":[2,2]`, `the in-sync replica 2 is listed twice`},
		{"a foreign addition", `"adding":[]`, `"adding":[3]`, `the adding replica 3 is not among`},
		{"topic without a name", `"name":"t"`, `"name":""`, `a topic has an empty name`},
		{"a bad source", `"source":"broker"`, `"source":"magic"`, `s.json:3:155: the config "x" has the source "magic"; a source is topic, broker, cluster, static or default`},
		{"a field twice", `"rack":"r1"`, `"rack":"r1","rack":"r2"`, `the field "rack" of a broker is given twice`},
		{"a config twice", `"config":{}`, `"config":{"a":{"value":"1","source":"topic"},"a":{"value":"2","source":"topic"}}`, `the config "a" is given twice`},
		{"a log dir twice", `[{"path":"/d",`, `[{"path":"/d"},{"path":"/d",`, `the log dir "/d" is listed twice`},
		{"a bad time", `2026-01-01T00:00:00Z`, `yesterday`, `the time "yesterday" is not as RFC 3339 has it`},
		{"more after the end", `"config":{}}]}`, `"config":{}}]} {}`, `something follows after the end`},
		{"a missing comma", `"host":"h","port"`, `"host":"h" "port"`, `expected a comma or the end of the object, found a string`},
		{"a comma too many", `"isr":[2,1]`, `"isr":[2,1,]`, `expected a broker's id`},
		{"bad UTF-8", `"rack":"r1"`, "\"rack\":\"r\xff\"", `not valid UTF-8`},
		{"a lone surrogate", `"rack":"r1"`, `"rack":"\ud800"`, `no character`},
		{"an unknown escape", `"rack":"r1"`, `"rack":"\x"`, `an escape that JSON does not know`},
		{"a line break in a string", `"rack":"r1"`, "\"rack\":\"r\n1\"", `control character`},
		{"nested without end", `"internal":false`, `"deep":` + strings.Repeat("[", 5000), `nested more than 100 deep`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small, c.old, c.new, 1)
			if text == small {
				t.Fatalf("%q is not in the document", c.old)
			}
			_, _, err := Decode(strings.NewReader(text), "s.json")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant … %s …", err, c.want)
			}
		})
	}
}

func TestDecodeRefusesTopicTwice(t *testing.T) {
	topic := small[strings.Index(small, ` {"name":"t"`):strings.LastIndex(small, "]}")]
	_, _, err := Decode(strings.NewReader(strings.Replace(small, topic, topic+",\n"+topic, 1)), "s.json")
	if want := `s.json:10:2: the topic "t" is listed twice`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want … %s …", err, want)
	}
}

func TestDecodeRefusesADocumentCutAnywhere(t *testing.T) {
	for i := range small {
		_, _, err := Decode(strings.NewReader(small[:i]), "s.json")
		if err == nil {
			t.Fatalf("cut at %d it is accepted: %s", i, small[:i])
		}
	}
}

func TestDecodeSaysWhereItIsCut(t *testing.T) {
	_, _, err := Decode(strings.NewReader(small[:len(small)-3]), "s.json")
	want := "s.json:9:14: the document ends here, before it is complete: the file is cut off; write it again with `ballast snapshot`"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestNoClusterIDIsAWarning(t *testing.T) {
	_, warnings := decode(t, strings.Replace(small, `"cluster_id":"c",`, "", 1))
	if len(warnings) != 1 || !strings.Contains(warnings[0], "cluster_id") {
		t.Error(warnings)
	}
}

// The properties below hold for every snapshot.

func TestWhatIsEncodedDecodesToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		var first, second bytes.Buffer
		if err := Encode(&first, s); err != nil {
			t.Fatal(err)
		}
		got, warnings, err := Decode(bytes.NewReader(first.Bytes()), "s.json")
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Fatal(diff)
		}
		if !json.Valid(first.Bytes()) {
			t.Fatalf("no JSON: %s", first.Bytes())
		}
		if err := Encode(&second, got); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%v\n%s\n%s", err, first.Bytes(), second.Bytes())
		}
	})
}

func TestOrderOfInputMeansNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		if err := s.Normalize(); err != nil {
			t.Fatal(err)
		}
		var want, got bytes.Buffer
		Encode(&want, s)
		print := Fingerprint(s)
		shuffle(s, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		if err := Encode(&got, s); err != nil || got.String() != want.String() {
			t.Fatalf("%v\n%s\n%s", err, want.String(), got.String())
		}
		if again := Fingerprint(s); again != print {
			t.Fatal("the fingerprint changed with the order")
		}
	})
}

func shuffle(s *Snapshot, r *rand.Rand) {
	mix := func(n int, swap func(i, j int)) { r.Shuffle(n, swap) }
	ids := func(l []BrokerID) { mix(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] }) }
	mix(len(s.Brokers), func(i, j int) { s.Brokers[i], s.Brokers[j] = s.Brokers[j], s.Brokers[i] })
	mix(len(s.Topics), func(i, j int) { s.Topics[i], s.Topics[j] = s.Topics[j], s.Topics[i] })
	for i := range s.Topics {
		p := s.Topics[i].Partitions
		mix(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		for j := range p {
			ids(p[j].ISR)
			ids(p[j].Adding)
			ids(p[j].Removing)
		}
	}
}

func TestFingerprintCoversWhatAPlanBindsToAndNothingElse(t *testing.T) {
	base, _ := decode(t, small)
	print := Fingerprint(base)
	for _, c := range []struct {
		name, old, new string
		same           bool
	}{
		{"replicas in order", `[1,2],"isr":[]`, `[2,1],"isr":[]`, false},
		{"the cluster", `"c"`, `"d"`, false},
		{"a rack", `"r1"`, `"r2"`, false},
		{"a broker", ` {"id":2,"alive":false}`, ` {"id":2,"alive":false},{"id":3,"alive":false}`, false},
		{"an override", `"config":{}}]`, `"config":{"a":{"value":"1","source":"topic"}}}]`, false},
		{"unknown overrides", `,
  "config":{}}]`, `}]`, false},
		{"an inherited config", `"config":{}}]`, `"config":{"a":{"value":"1","source":"default"}}}]`, true},
		{"throttled replicas", `"config":{}}]`, `"config":{"leader.replication.throttled.replicas":{"value":"*","source":"topic"}}}]`, true},
		{"who is alive", `"alive":false`, `"alive":true`, true},
		{"a size", `"bytes":7`, `"bytes":8`, true},
		{"the leader", `"leader":1`, `"leader":2`, true},
		{"the time", `2026-01-01`, `2026-01-02`, true},
	} {
		other, _ := decode(t, strings.Replace(small, c.old, c.new, 1))
		if same := Fingerprint(other) == print; same != c.same {
			t.Errorf("%s: same fingerprint %v, want %v", c.name, same, c.same)
		}
	}
}

func TestWriteFileReplacesTheWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := decode(t, small)
	if err := WriteFile(path, s); err != nil {
		t.Fatal(err)
	}
	got, _, err := ReadFile(path)
	if diff := cmp.Diff(s, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	info, _ := os.Stat(path)
	if info.Mode().Perm() != 0o644 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteFileLeavesTheOldFileWhereTheSnapshotIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, &Snapshot{Brokers: []Broker{{ID: 1}, {ID: 1}}}); err == nil {
		t.Error("no error")
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the file has %q", got)
	}
}

func TestReadFileNamesAMissingFile(t *testing.T) {
	_, _, err := ReadFile(filepath.Join(t.TempDir(), "none.json"))
	if err == nil || !strings.Contains(err.Error(), "none.json") {
		t.Error(err)
	}
}
