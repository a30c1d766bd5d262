package config

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var (
	kindPath      = kind{words: "path", convert: toFilled}
	kindFilled    = kind{words: "string", convert: toFilled}
	kindMechanism = kind{words: "SASL mechanism", choices: mechanisms, convert: toMechanism}
	kindTopicName = kind{words: "topic name", convert: toTopicName}
)

var mechanisms = []string{SASLPlain, SASLScram256, SASLScram512, SASLOAuthBearer, SASLMSKIAM}

// toFilled takes a text that is not empty.
func toFilled(v cty.Value) (any, error) {
	s, err := toString(v)
	if err == nil && s == "" {
		err = errors.New("it is empty; leave it out, or see why what it comes from is empty")
	}
	return s, err
}

// toMechanism takes a mechanism that ballast speaks. Those that Kafka knows
// and ballast does not are refused by name.
func toMechanism(v cty.Value) (any, error) {
	s, err := toString(v)
	if err != nil {
		return nil, err
	}
	if contains(mechanisms, s) {
		return s, nil
	}
	list := quoted(mechanisms)
	if s == "GSSAPI" {
		return nil, fmt.Errorf("%s is %s; it speaks %s", s, notYet, list)
	}
	return nil, fmt.Errorf("%s is not one of %s.%s", quote(s), list, didYouMean(s, mechanisms))
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return join(out)
}

func toTopicName(v cty.Value) (any, error) {
	s, err := toString(v)
	if err == nil {
		err = CheckTopicName(s)
	}
	return s, err
}

// tls takes what a tls block says. What is wrong breaks the cluster block: a
// connection that was to be encrypted is not made without.
func (l *loader) tls(b *hclsyntax.Block, decoded *decoder, c *Cluster) *TLS {
	s := decoded.out
	t := &TLS{Source: sourceOf(b.DefRange()), Lines: lines(s, "tls.")}
	t.CAFile, t.CertFile, t.KeyFile = l.path(s, "tls.ca_file"), l.path(s, "tls.cert_file"), l.path(s, "tls.key_file")
	if (s.given("tls.cert_file") == nil) != (s.given("tls.key_file") == nil) {
		c.Broken = true
		l.add(fault("incomplete_certificate", "A certificate without its key", "The attributes cert_file and key_file go together: a certificate of our own, and its key. Give both, or neither.", b.DefRange()))
	}
	return t
}

// sasl takes what a sasl block says.
func (l *loader) sasl(b *hclsyntax.Block, decoded *decoder, c *Cluster) *SASL {
	s := decoded.out
	out := &SASL{Source: sourceOf(b.DefRange()), Lines: lines(s, "sasl.")}
	get(s, "sasl.mechanism", &out.Mechanism)
	get(s, "sasl.username", &out.Username)
	get(s, "sasl.password", &out.Password.text)
	get(s, "sasl.token", &out.Token.text)
	get(s, "sasl.region", &out.Region)
	out.TokenFile = l.path(s, "sasl.token_file")
	if out.Mechanism == "" {
		return out
	}
	for _, d := range checkCredentials(s, out.Mechanism, b.DefRange()) {
		c.Broken = true
		l.add(d)
	}
	return out
}

// checkCredentials: a mechanism has what it needs, and nothing of another's.
func checkCredentials(s settings, mechanism string, at hcl.Range) []Diagnostic {
	needs, others := credentials(s, mechanism)
	var out []Diagnostic
	for _, name := range needs {
		if s.given("sasl."+name) == nil {
			out = append(out, fault("missing_attribute", "Missing attribute", fmt.Sprintf("SASL %s needs the attribute %s.", mechanism, name), at))
		}
	}
	takes := join(needs)
	if mechanism == SASLMSKIAM {
		takes = "a region at most"
	}
	for _, name := range others {
		if x := s.given("sasl." + name); x != nil {
			out = append(out, fault("unused_attribute", "Attribute of another mechanism", fmt.Sprintf("SASL %s takes %s; take %s out.", mechanism, takes, name), x.at).hiding(saslBlock.attr(name).secret))
		}
	}
	return out
}

// credentials are the attributes that a mechanism needs, and those of others.
func credentials(s settings, mechanism string) (needs, others []string) {
	switch {
	case mechanism == SASLMSKIAM:
		return nil, []string{"username", "password", "token", "token_file"}
	case mechanism == SASLOAuthBearer && s.given("sasl.token_file") != nil:
		return []string{"token_file"}, []string{"username", "password", "token", "region"}
	case mechanism == SASLOAuthBearer:
		return []string{"token"}, []string{"username", "password", "region"}
	}
	return []string{"username", "password"}, []string{"token", "token_file", "region"}
}

// given is a setting that is there and not null, or nil. One that is bad was
// reported, and counts as given.
func (s settings) given(path string) *setting {
	if x := s[path]; x != nil && (x.bad || x.value != nil) {
		return x
	}
	return nil
}

// path is a path as this process opens it.
func (l *loader) path(s settings, name string) string {
	p := ""
	get(s, name, &p)
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(l.dir, p)
}

// lines are the places of the settings of an inner block.
func lines(s settings, prefix string) map[string]Source {
	out := map[string]Source{}
	for path, x := range s {
		if len(path) > len(prefix) && path[:len(prefix)] == prefix {
			out[path[len(prefix):]] = x.source()
		}
	}
	return out
}

func (l *loader) journal(blocks []*hclsyntax.Block, d *Desired) {
	b, decoded := l.single(blocks, journalBlock)
	if b == nil {
		return
	}
	s, backend := decoded.out, string(LocalJournal)
	get(s, "backend", &backend)
	d.Journal = Journal{Backend: JournalBackend(backend), Source: sourceOf(b.DefRange())}
	if d.Journal.Backend == KafkaJournal {
		d.Journal.Topic = DefaultJournalTopic
		get(s, "topic", &d.Journal.Topic)
	} else if x := s.given("topic"); x != nil && (s["backend"] == nil || !s["backend"].bad) {
		l.add(fault("unused_attribute", "A topic without a use", "A local journal is a file. Take topic out, or keep the journal in the cluster:\n  backend = \"kafka\"", x.at))
	}
}

// journalTopic refuses declarations of the topic that the journal is in: what
// a run writes its records to is not what it changes.
func (l *loader) journalTopic(all []*declaration, d *Desired) {
	for _, decl := range all {
		if d.Journal.Topic == "" || decl.name != d.Journal.Topic {
			continue
		}
		decl.broken = true
		l.add(fault("journal_topic_declared", "The journal's topic is declared",
			fmt.Sprintf("The topic %s holds the journal (%s:%d). ballast creates it and never plans it: take the declaration out.", quote(decl.name), d.Journal.Source.File, d.Journal.Source.Line), decl.nameAt).about(decl.name))
	}
}
