package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const secured = `
variable "pass" {
  sensitive = true
}
cluster "prod" {
  bootstrap = ["kafka-1:9092"]
  tls {
    ca_file   = "certs/ca.pem"
    cert_file = "/etc/me.pem"
    key_file  = "../me.key"
  }
  sasl {
    mechanism = "SCRAM-SHA-512"
    username  = "me"
    password  = "a${var.pass}"
  }
}
`

func TestConnectionIsDecoded(t *testing.T) {
	dir := write(t, "main.hcl", secured)
	l := Load(dir, Options{Vars: []string{"pass=hunter2"}})
	if len(l.Diagnostics) > 0 {
		t.Fatal(printed(t, l))
	}
	c := l.Desired.Cluster
	if want := []string{filepath.Join(dir, "certs", "ca.pem"), "/etc/me.pem", filepath.Join(filepath.Dir(dir), "me.key")}; !cmp.Equal([]string{c.TLS.CAFile, c.TLS.CertFile, c.TLS.KeyFile}, want) {
		t.Error(c.TLS, want)
	}
	if c.SASL.Mechanism != SASLScram512 || c.SASL.Username != "me" || c.SASL.Password.Reveal() != "ahunter2" || c.Broken {
		t.Errorf("%+v", c)
	}
	if c.TLS.At("key_file").Line != 10 || c.TLS.At("x").Line != 7 || c.SASL.At("password").Line != 15 || c.SASL.At("token").Line != 12 {
		t.Errorf("%+v %+v", c.TLS, c.SASL)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	l := Load(write(t, "main.hcl", secured), Options{Vars: []string{"pass=hunter2"}})
	sasl := l.Desired.Cluster.SASL
	text := ""
	for _, verb := range []string{"%v", "%+v", "%#v", "%d", "%x", "%s", "%q"} {
		text += fmt.Sprintf(verb, *sasl) + fmt.Sprintf(verb, sasl) + fmt.Sprintf(verb, sasl.Password)
	}
	encoded, err := json.Marshal(l.Desired)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{text, string(encoded)} {
		if strings.Contains(shown, "hunter2") || strings.Contains(shown, fmt.Sprintf("%x", "hunter2")) || !strings.Contains(shown, "(sensitive)") {
			t.Error(shown)
		}
	}
}

// TestDigestSaysNothingOfPasswords: however a password is given, the digest is
// the same for another one, and follows all else.
func TestDigestSaysNothingOfPasswords(t *testing.T) {
	frame := "%s\ncluster \"a\" {\n sasl {\n  mechanism = \"PLAIN\"\n  username = \"%s\"\n  password = %s\n }\n}\n"
	digest := func(before, user, password string) string {
		l := Load(write(t, "main.hcl", fmt.Sprintf(frame, before, user, password)), Options{})
		if len(l.Diagnostics) > 0 {
			t.Fatal(printed(t, l))
		}
		return l.Desired.Digest
	}
	for name, c := range map[string][2][2]string{
		"a literal":  {{"", `"abc"`}, {"", `"hunter2"`}},
		"a heredoc":  {{"", "<<EOT\nabc\ndef\nEOT"}, {"", "<<EOT\nhunter2\nab\nEOT"}},
		"a number":   {{"", `1`}, {"", `12345`}},
		"a local":    {{`locals { p = "abc" }`, "local.p"}, {`locals { p = "hunter2" }`, "local.p"}},
		"a variable": {{"variable \"p\" { default = \"abc\" }", "var.p"}, {"variable \"p\" { default = \"hunter2\" }", "var.p"}},
		"sensitive":  {{"", `sensitive("abc")`}, {"", `sensitive("hunter2")`}},
	} {
		if digest(c[0][0], "me", c[0][1]) != digest(c[1][0], "me", c[1][1]) {
			t.Errorf("%s: the digest follows it", name)
		}
		if digest(c[0][0], "me", c[0][1]) == digest(c[0][0], "you", c[0][1]) {
			t.Errorf("%s: the digest follows nothing", name)
		}
	}
}

// TestCredentialsAreComplete: each mechanism has what it needs and nothing
// else, or nobody connects.
func TestCredentialsAreComplete(t *testing.T) {
	const user, pass = `username = "me"`, `password = "sesame1"`
	for text, want := range map[string]string{
		`mechanism = "PLAIN"`:                                             "missing_attribute missing_attribute",
		`mechanism = "PLAIN"` + "\n" + user:                               "missing_attribute",
		`mechanism = "PLAIN"` + "\n" + user + "\n" + pass:                 "",
		`mechanism = "PLAIN"` + "\n" + user + "\npassword = env(\"NO\")":  "invalid_call",
		`mechanism = "PLAIN"` + "\n" + user + "\npassword = \"\"":         "invalid_value",
		`mechanism = "PLAIN"` + "\n" + user + "\npassword = null":         "missing_attribute",
		`mechanism = "SCRAM-SHA-256"` + "\n" + user + "\n" + pass:         "",
		`mechanism = "GSSAPI"` + "\n" + user + "\n" + pass:                "invalid_value",
		`mechanism = "OAUTHBEARER"`:                                       "missing_attribute",
		`mechanism = "OAUTHBEARER"` + "\ntoken = \"sesame1\"":             "",
		`mechanism = "OAUTHBEARER"` + "\ntoken_file = \"t\"":              "",
		`mechanism = "AWS_MSK_IAM"`:                                       "",
		`mechanism = "AWS_MSK_IAM"` + "\nregion = \"eu-west-1\"":          "",
		`mechanism = "AWS_MSK_IAM"` + "\n" + pass:                         "unused_attribute",
		"mechanism = \"OAUTHBEARER\"\ntoken_file = \"t\"\ntoken = \"ab\"": "unused_attribute",
		"mechanism = \"OAUTHBEARER\"\ntoken = \"ab\"\nregion = \"x\"":     "unused_attribute",
		"mechanism = \"OAUTHBEARER\"\ntoken = \"ab\"\n" + pass:            "unused_attribute",
		"mechanism = \"PLAIN\"\ntoken = \"ab\"\n" + user + "\n" + pass:    "unused_attribute",
	} {
		l := load(t, "cluster \"a\" {\n sasl {\n"+text+"\n }\n}\n")
		var codes []string
		for _, d := range l.Diagnostics {
			codes = append(codes, d.Code)
		}
		if got := strings.Join(codes, " "); got != want || l.Desired.Cluster.Broken != (want != "") {
			t.Errorf("%s: %q, want %q; broken: %v", text, got, want, l.Desired.Cluster.Broken)
		}
		if out := printed(t, l); strings.Contains(out, "sesame1") || strings.Contains(out, `"ab"`) {
			t.Error(out)
		}
	}
}

func TestBrokenTLSBreaksTheCluster(t *testing.T) {
	for _, tls := range []string{`ca_fil = "x"`, `ca_file = ""`, `cert_file = "x"`, "ca_file = nothing.at.all"} {
		if l := load(t, "cluster \"a\" {\n bootstrap = [\"a:1\"]\n tls {\n"+tls+"\n }\n}\n"); !l.Desired.Cluster.Broken {
			t.Errorf("%s: one could connect without", tls)
		}
	}
}

func TestJournalIsDecoded(t *testing.T) {
	at := Source{"main.hcl", 1}
	for text, want := range map[string]Journal{
		"":                                  {Backend: LocalJournal},
		"journal {}\n":                      {LocalJournal, "", at},
		"journal { backend = \"local\" }\n": {LocalJournal, "", at},
		"journal { backend = \"kafka\" }\n": {KafkaJournal, "ballast-journal", at},
		"journal {\n backend = \"kafka\"\n topic = \"runs\"\n}\n": {KafkaJournal, "runs", at},
	} {
		if got := sound(t, text+"locals {}\n").Journal; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestImportLeavesTheJournalOut(t *testing.T) {
	o := GenerateOptions{Existing: sound(t, "journal { backend = \"kafka\" }\n")}
	if !o.Existing.mentions("ballast-journal") || o.Existing.mentions("orders") {
		t.Error("the journal's topic would be imported, and refused from then on")
	}
}

func TestSyntaxErrorsShowNoPassword(t *testing.T) {
	for _, line := range []string{`password = "sesame1`, `password = "sesame1" x`, `token = "sesame1${"`, "password = [\n  \"sesame1\"\n", `password = "sesame1\q"`} {
		text := "cluster \"a\" {\n  sasl {\n    mechanism = \"PLAIN\"\n    " + line + "\n  }\n}\n"
		l := load(t, text)
		if out := printed(t, l); !HasErrors(l.Diagnostics) || strings.Contains(out, "sesame1") {
			t.Errorf("%s:\n%s", line, out)
		}
		var b strings.Builder
		if _, diags := Format("main.hcl", []byte(text)); PrintDiagnostics(&b, diags, "main.hcl", []byte(text), PrintOptions{}) != nil || strings.Contains(b.String(), "sesame1") {
			t.Errorf("%s:\n%s", line, b.String())
		}
	}
}
