package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state/kafka"
)

// connection is how a configuration says to reach its cluster.
func connection(c config.Cluster) (kafka.Options, error) {
	o := kafka.Options{Bootstrap: c.Bootstrap, ClusterID: c.ClusterID, SASL: saslOf(c.SASL)}
	var err error
	o.TLS, err = tlsOf(c.TLS)
	return o, err
}

// tlsOf reads the files of a tls block.
func tlsOf(t *config.TLS) (*tls.Config, error) {
	if t == nil {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CAFile != "" {
		pem, err := os.ReadFile(t.CAFile)
		if err != nil {
			return nil, badFile(t.At("ca_file"), err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, badFile(t.At("ca_file"), fmt.Errorf("%s has no certificate in PEM", render.Quote(t.CAFile)))
		}
	}
	if t.CertFile != "" {
		pair, err := tls.LoadX509KeyPair(t.CertFile, t.KeyFile)
		if err != nil {
			return nil, badFile(t.At("cert_file"), err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

func badFile(at config.Source, err error) error {
	return fail("A file of the connection cannot be used", "%s:%d: %v", at.File, at.Line, err)
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
			return strings.TrimSpace(string(token)), nil
		}
	}
	return out
}
