package realkafka

import (
	"fmt"
	"strings"
)

// Secure is a second listener of every broker: TLS, and SCRAM-SHA-512 for one
// user. Texts are PEM; the certificate is for 127.0.0.1.
type Secure struct {
	User, Password string
	Certificate    string
	Key            string // PKCS #8, without a passphrase
}

// properties are what the listener adds to a broker's.
func (s *Secure) properties(n *node) map[string]string {
	line := func(pem string) string { return strings.ReplaceAll(strings.TrimSpace(pem), "\n", `\n`) }
	const prefix = "listener.name.secure."
	return map[string]string{
		"listeners":                               fmt.Sprintf("PLAINTEXT://127.0.0.1:%d,SECURE://127.0.0.1:%d", n.port, n.secure),
		"listener.security.protocol.map":          "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
		prefix + "sasl.enabled.mechanisms":        "SCRAM-SHA-512",
		prefix + "scram-sha-512.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required;",
		prefix + "ssl.keystore.type":              "PEM",
		prefix + "ssl.keystore.certificate.chain": line(s.Certificate),
		prefix + "ssl.keystore.key":               line(s.Key),
	}
}

// formatted are the arguments with which a node's storage comes to know the user.
func (s *Secure) formatted() []string {
	if s == nil {
		return nil
	}
	return []string{"--add-scram", fmt.Sprintf("SCRAM-SHA-512=[name=%s,password=%s]", s.User, s.Password)}
}

// SecureBootstrap are the addresses of all brokers' secure listeners.
func (c *Cluster) SecureBootstrap() []string {
	var addrs []string
	for _, id := range c.Brokers() {
		addrs = append(addrs, fmt.Sprintf("127.0.0.1:%d", c.nodes[id].secure))
	}
	return addrs
}
