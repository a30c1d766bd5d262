package config

import (
	"fmt"
	"io"
)

// TLS says how connections are encrypted. Its files are paths as this process
// opens them: those that were relative to the configuration's directory are
// joined to it. They are read by whoever connects.
type TLS struct {
	CAFile   string // "": what this machine trusts
	CertFile string // "": no certificate of our own
	KeyFile  string
	Source   Source
	Lines    map[string]Source // the place of each attribute that was declared
}

// At is where an attribute is declared, or else where the block begins.
func (t *TLS) At(attribute string) Source {
	if s, ok := t.Lines[attribute]; ok {
		return s
	}
	return t.Source
}

// The SASL mechanisms of the language.
const (
	SASLPlain       = "PLAIN"
	SASLScram256    = "SCRAM-SHA-256"
	SASLScram512    = "SCRAM-SHA-512"
	SASLOAuthBearer = "OAUTHBEARER"
	SASLMSKIAM      = "AWS_MSK_IAM"
)

// SASL says who we are to the brokers.
type SASL struct {
	Mechanism string
	Username  string // of PLAIN and SCRAM
	Password  Secret
	Token     Secret // of OAUTHBEARER, unless there is a TokenFile
	TokenFile string // a path as this process opens it
	Region    string // of AWS_MSK_IAM; "": what the addresses or the environment tell
	Source    Source
	Lines     map[string]Source // the place of each attribute that was declared
}

// At is where an attribute is declared, or else where the block begins.
func (s *SASL) At(attribute string) Source {
	if at, ok := s.Lines[attribute]; ok {
		return at
	}
	return s.Source
}

// Secret is a text that nothing shows: however it is printed or encoded, it is
// the word (sensitive).
type Secret struct{ text string }

// Reveal gives the text, for the one who sends it.
func (s Secret) Reveal() string { return s.text }

// Format prints the word for any verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, hiddenText) }

// MarshalText encodes the word.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hiddenText), nil }

const hiddenText = "(sensitive)"

// JournalBackend is where a run records what it does.
type JournalBackend string

// The backends of journals.
const (
	LocalJournal JournalBackend = "local" // a file beside the configuration
	KafkaJournal JournalBackend = "kafka" // a topic of the cluster itself
)

// DefaultJournalTopic is the topic of a journal in the cluster that names none.
const DefaultJournalTopic = "ballast-journal"

// Journal is where runs record what they do, and hold their lock.
type Journal struct {
	Backend JournalBackend
	Topic   string // of backend kafka
	Source  Source // nowhere where nothing was declared
}
