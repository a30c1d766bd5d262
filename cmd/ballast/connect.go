package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state/kafka"
)

// connection is how a configuration says to reach its cluster. By a block with
// errors nobody connects: what was to be encrypted would not be.
func connection(c config.Cluster) (kafka.Options, error) {
	if c.Broken {
		return kafka.Options{}, fail("The cluster block has errors", "Nothing connects by it. Correct them first: `ballast validate` lists them.")
	}
	o := kafka.Options{Bootstrap: c.Bootstrap, ClusterID: c.ClusterID, SASL: saslOf(c.SASL)}
	if o.SASL != nil && o.SASL.Mechanism == config.SASLMSKIAM {
		if o.SASL.Region = regionOf(c); o.SASL.Region == "" {
			return o, &fileError{config.Diagnostic{Severity: config.SeverityError, Code: "region_unknown", Summary: "The AWS region is not known", File: c.SASL.Source.File, Line: c.SASL.Source.Line,
				Detail: "A token for AWS_MSK_IAM is signed for a region, and the addresses are not of a form that tells it. Add to the sasl block:\n  region = \"eu-west-1\""}}
		}
	}
	var err error
	o.TLS, err = tlsOf(c.TLS)
	return o, err
}

// regionOf is the AWS region of a cluster: what is declared, what the addresses
// tell, or what other programs for AWS take.
func regionOf(c config.Cluster) string {
	return cmp.Or(c.SASL.Region, kafka.MSKRegion(c.Bootstrap), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
}

// tlsOf reads the files of a tls block.
func tlsOf(t *config.TLS) (*tls.Config, error) {
	if t == nil {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CAFile != "" {
		authorities, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, badFile(t.At("ca_file"), err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(authorities) {
			return nil, badFile(t.At("ca_file"), fmt.Errorf("%s has no certificate in PEM", render.Quote(t.CAFile)))
		}
	}
	if t.CertFile != "" {
		pair, err := ownCertificate(t)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// ownCertificate reads our certificate and its key. What is wrong with the key
// is said without a word of it.
func ownCertificate(t *config.TLS) (tls.Certificate, error) {
	cert, err := os.ReadFile(t.CertFile)
	if err != nil {
		return tls.Certificate{}, badFile(t.At("cert_file"), err)
	}
	key, err := os.ReadFile(t.KeyFile)
	if err != nil {
		return tls.Certificate{}, badFile(t.At("key_file"), err)
	}
	if block, _ := pem.Decode(cert); block == nil || block.Type != "CERTIFICATE" {
		return tls.Certificate{}, badFile(t.At("cert_file"), fmt.Errorf("%s has no certificate in PEM", render.Quote(t.CertFile)))
	}
	block, _ := pem.Decode(key)
	if block != nil && (strings.HasPrefix(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "") {
		return tls.Certificate{}, badFile(t.At("key_file"), fmt.Errorf("%s is a key with a passphrase; use one without, which only this user may read", render.Quote(t.KeyFile)))
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return pair, badFile(t.At("key_file"), fmt.Errorf("%s is not the key of %s: %w", render.Quote(t.KeyFile), render.Quote(t.CertFile), err))
	}
	return pair, nil
}

// fileError is a file that a configuration names and that cannot be used.
type fileError struct{ said config.Diagnostic }

func (e *fileError) Error() string {
	return fmt.Sprintf("%s\n\n%s:%d: %s", e.said.Summary, e.said.File, e.said.Line, e.said.Detail)
}

func badFile(at config.Source, err error) error {
	return &fileError{config.Diagnostic{Severity: config.SeverityError, Code: "connection_file", Summary: "A file of the connection cannot be used",
		Detail: render.Safe(err.Error()) + ".", File: at.File, Line: at.Line}}
}

// shown prints an error that has a place in the configuration with its line,
// and leaves any other to be printed.
func shown(s *streams, l *config.Loaded, err error) error {
	var file *fileError
	var other *otherCluster
	var said config.Diagnostic
	switch {
	case errors.As(err, &file):
		said = file.said
	case errors.As(err, &other):
		said = other.diagnostic()
	default:
		return err
	}
	l.Print(s.err, []config.Diagnostic{said}, s.diagnostics())
	return exit(exitError)
}

// rehearsed is the declaration for a rehearsal's cluster, which is in this
// process and asks for no credentials.
func rehearsed(c *cli.Context, d *config.Desired) *config.Desired {
	if c.String("sandbox") == "" {
		return d
	}
	plain := *d
	plain.Cluster.TLS, plain.Cluster.SASL = nil, nil
	return &plain
}

// saslOf says who we are. A token file is read again for each connection, since
// tokens do not last.
func saslOf(s *config.SASL) *kafka.SASL {
	if s == nil {
		return nil
	}
	out := &kafka.SASL{Mechanism: s.Mechanism, Username: s.Username, Password: s.Password.Reveal()}
	if s.Mechanism == config.SASLOAuthBearer {
		out.Token = func(context.Context) (string, error) {
			if s.TokenFile == "" {
				return s.Token.Reveal(), nil
			}
			token, err := os.ReadFile(s.TokenFile)
			if err != nil {
				return "", fmt.Errorf("the token file cannot be read: %w", err)
			}
			if text := strings.TrimSpace(string(token)); text != "" {
				return text, nil
			}
			return "", fmt.Errorf("the token file %s is empty", render.Quote(s.TokenFile))
		}
	}
	return out
}
