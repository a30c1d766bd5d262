package config

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const manual = "../docs/language.md"

func readManual(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// described finds the schema of a path like topic.replicas.
func described(path string) *block {
	b := language
	for _, name := range strings.Split(path, ".") {
		if b = b.block(name); b == nil {
			return nil
		}
	}
	return b
}

// reference is what the manual has to say of a block.
func reference(b *block) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s", b.doc)
	if b.refused != "" {
		out.WriteString(" " + b.refused)
	}
	if b.label != "" {
		fmt.Fprintf(&out, " The label is %s.", b.label)
	}
	if b.once {
		out.WriteString(" There may be one such block.")
	}
	out.WriteString("\n")
	if len(b.attrs) == 0 && len(b.blocks) == 0 {
		return out.String()
	}
	out.WriteString("\n| attribute | type | default | meaning | example |\n|---|---|---|---|---|\n")
	for _, a := range b.attrs {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | `%s` |\n", a.name, a.kind.words, a.def, a.doc, a.example)
	}
	for _, inner := range b.blocks {
		doc := inner.doc
		if inner.refused != "" {
			doc += " " + inner.refused
		}
		fmt.Fprintf(&out, "| `%s { }` | block | | %s | |\n", inner.name, doc)
	}
	return out.String()
}

var section = regexp.MustCompile(`(?s)<!-- (block|functions|codes|policy_values)( [a-z_.]+)? -->\n(.*?)<!-- end -->`)

// TestManualHasEveryBlockAndAttribute: the tables of the manual are those of
// the code. Run it with -update to write them.
func TestManualHasEveryBlockAndAttribute(t *testing.T) {
	missing := map[string]bool{}
	for _, b := range language.blocks {
		missing[b.name] = true
	}
	text := readManual(t)
	out := section.ReplaceAllStringFunc(text, func(s string) string {
		m := section.FindStringSubmatch(s)
		want := strings.Join(functionNames(), ", ") + "\n"
		if m[1] == "codes" {
			want = strings.Join(codes(t), ", ") + "\n"
		}
		if m[1] == "policy_values" {
			want = policyTable()
		}
		if m[1] == "block" {
			path := strings.TrimSpace(m[2])
			b := described(path)
			if b == nil {
				t.Fatalf("the manual describes %s, which does not exist", path)
			}
			delete(missing, path)
			want = reference(b)
		}
		if m[3] != want && !*update {
			t.Errorf("the manual says\n%s\nand the code\n%s", m[3], want)
		}
		return strings.Replace(s, "-->\n"+m[3], "-->\n"+want, 1)
	})
	for name := range missing {
		t.Errorf("the manual does not describe %s", name)
	}
	if *update {
		if err := os.WriteFile(manual, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func policyTable() string {
	var out strings.Builder
	out.WriteString("| name | is |\n|---|---|\n")
	for _, v := range policyValues {
		fmt.Fprintf(&out, "| `%s` | %s |\n", v.name, v.doc)
	}
	return out.String()
}

// TestManualHasEveryNameOfPolicies: the table has the names that a policy's
// expressions see, no more and no less.
func TestManualHasEveryNameOfPolicies(t *testing.T) {
	described := map[string]bool{}
	for _, v := range policyValues {
		described[v.name] = true
	}
	for object, value := range (PolicyInput{}).values() {
		for name := range value.Type().AttributeTypes() {
			full := object + "." + name
			if !described[full] {
				t.Errorf("the manual does not describe %s", full)
			}
			delete(described, full)
		}
	}
	for name := range described {
		t.Errorf("the manual describes %s, which does not exist", name)
	}
}

func functionNames() []string {
	names := sortedKeys((&loader{}).functions())
	for i, name := range names {
		names[i] = "`" + name + "`"
	}
	return names
}

var fence = regexp.MustCompile("(?s)```hcl\n(.*?)```")

// TestManualsExamplesAreSound: each example of the manual loads without a
// complaint, and is in the canonical layout.
func TestManualsExamplesAreSound(t *testing.T) {
	examples := fence.FindAllStringSubmatch(readManual(t), -1)
	if len(examples) < 10 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, m := range examples {
		if l := load(t, m[1]); len(l.Diagnostics) > 0 {
			t.Errorf("%s\n%s", m[1], printed(t, l))
		}
		if out, _ := Format("main.hcl", []byte(m[1])); string(out) != m[1] {
			t.Errorf("not in the canonical layout:\n%s\nbut\n%s", m[1], out)
		}
	}
}

// TestAttributesExamplesAreSound: the example of each attribute is a value that
// it takes.
func TestAttributesExamplesAreSound(t *testing.T) {
	for _, b := range language.blocks {
		if b.refused != "" {
			continue
		}
		label := map[string]string{"broker": ` "1"`, "locals": ""}[b.name]
		if b.label != "" && label == "" {
			label = ` "env"`
		}
		for _, a := range b.attrs {
			soundExample(t, b, a, b.name+label+" {\n%s\n}\n")
		}
		for _, inner := range b.blocks {
			if inner.refused != "" {
				continue
			}
			for _, a := range inner.attrs {
				soundExample(t, inner, a, b.name+label+" {\n"+inner.name+" {\n%s\n}\n}\n")
			}
		}
	}
}

// exampleCredentials are the attributes of SCRAM, each with its example.
var exampleCredentials = func() string {
	var b strings.Builder
	for _, name := range []string{"mechanism", "username", "password"} {
		fmt.Fprintf(&b, "%s = %s\n", name, saslBlock.attr(name).example)
	}
	return b.String()
}()

func soundExample(t *testing.T, b *block, a attribute, frame string) {
	body := a.name + " = " + a.example
	switch {
	case a.name == "for_each":
		body += "\nname = each.key"
	case a.name == "name":
		body += "\nfor_each = { a = 1 }"
	case a.name == "required":
		body += "\nracks = [\"r1\"]"
	case a.name == "type":
		body += "\ndefault = {}"
	case b == journalBlock && a.name == "topic":
		body += "\nbackend = \"kafka\""
	case b == tlsBlock && a.name != "ca_file":
		body = "cert_file = \"me.pem\"\nkey_file = \"me.key\""
	case b == saslBlock && strings.HasPrefix(a.name, "token"):
		body += "\nmechanism = \"OAUTHBEARER\""
	case b == saslBlock:
		body = exampleCredentials
	case b == policyBlock && a.name == "error_message":
		body += "\ncondition = true"
	case b == policyBlock && a.name == "condition":
		body += "\nerror_message = \"x\""
	case b == policyBlock:
		body += "\ncondition = true\nerror_message = \"x\""
	case b == validationBlock && a.name == "condition":
		body += "\nerror_message = \"x\""
	case b == validationBlock:
		body += "\ncondition = true"
	}
	text := fmt.Sprintf(frame, body)
	if b.name == "validation" {
		text = strings.Replace(text, "validation {", "default = \"dev\"\nvalidation {", 1)
	} else if strings.HasPrefix(text, "variable") && a.name != "type" && a.name != "default" {
		text = strings.Replace(text, "{", "{\ndefault = 1", 1)
	}
	if a.name == "class" {
		text += "broker_class \"ssd\" { racks = [\"r1\"] }\n"
	}
	if l := load(t, text); len(l.Diagnostics) > 0 {
		t.Errorf("%s\n%s", text, printed(t, l))
	}
}

var codePattern = regexp.MustCompile(`(?:fault|caution|newDiagnostic|fromHCL)\((?:p\.Severity, |diags, )?"([a-z0-9_]+)"|"(duplicate_[a-z_]+)"`)

// codes finds the code of every diagnostic that the room makes.
func codes(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, code := range hclCodes {
		found["`"+code+"`"] = true
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codePattern.FindAllStringSubmatch(string(src), -1) {
			found["`"+m[1]+m[2]+"`"] = true
		}
	}
	return sortedKeys(found)
}
