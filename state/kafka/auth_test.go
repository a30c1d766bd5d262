package kafka_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kversion"

	"ballast/state"
	"ballast/state/kafka"
)

// secure runs a server that wants TLS and a password.
func secure(t *testing.T, mechanism string, opts ...kfake.Opt) ([]string, *tls.Config) {
	t.Helper()
	certificate, pool := certify(t)
	opts = append(opts, kfake.NumBrokers(2), kfake.TLS(&tls.Config{Certificates: []tls.Certificate{certificate}}), kfake.EnableSASL(), kfake.Superuser(mechanism, "me", "s3cret"))
	c, err := kfake.NewCluster(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.ListenAddrs(), &tls.Config{RootCAs: pool}
}

// certify makes a certificate of its own for loopback.
func certify(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	leaf, err := x509.ParseCertificate(der)
	must(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestConnectionsAreEncryptedAndAuthenticated(t *testing.T) {
	for _, mechanism := range []string{kafka.Plain, kafka.ScramSHA256, kafka.ScramSHA512} {
		addrs, config := secure(t, mechanism)
		who := &kafka.SASL{Mechanism: mechanism, Username: "me", Password: "s3cret"}
		c := dial(t, kafka.Options{Bootstrap: addrs, TLS: config, SASL: who, Timeout: 5 * time.Second})
		if s, err := c.Snapshot(t.Context()); err != nil || len(s.Brokers) != 2 {
			t.Errorf("%s: %v", mechanism, err)
		}
		for _, name := range []string{"a", "b"} { // the second on a connection that was tried out
			errs, err := c.CreateTopics(t.Context(), []state.NewTopic{{Name: name, Assignments: [][]state.BrokerID{{0}}}})
			if err != nil || errs[0] != nil {
				t.Errorf("%s: %v %v", mechanism, errs, err)
			}
		}
	}
}

func TestWrongCredentialsAreSaidWithoutBeingPrinted(t *testing.T) {
	for _, mechanism := range []string{kafka.Plain, kafka.ScramSHA512} {
		addrs, config := secure(t, mechanism)
		who := &kafka.SASL{Mechanism: mechanism, Username: "me", Password: "wr0ng"}
		_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: addrs, TLS: config, SASL: who, Timeout: 5 * time.Second})
		var unreachable *kafka.UnreachableError
		if !errors.As(err, &unreachable) || !unreachable.Denied || !strings.Contains(err.Error(), addrs[0]+": authentication failed: it refuses user \"me\"") || strings.Contains(err.Error(), "wr0ng") {
			t.Errorf("%s: %v", mechanism, err)
		}
		if text := fmt.Sprintf("%v %+v %#v %s", who, who, kafka.Options{SASL: who}.SASL, who); strings.Contains(text, "wr0ng") {
			t.Error(text)
		}
	}
}

func TestAnUntrustedCertificateIsRefused(t *testing.T) {
	addrs, _ := secure(t, kafka.Plain)
	_, other := certify(t)
	for name, config := range map[string]*tls.Config{"another authority": {RootCAs: other}, "none": nil} {
		_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: addrs[:1], TLS: config, Timeout: time.Second})
		if err == nil || !strings.Contains(err.Error(), addrs[0]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAListenerThatSpeaksSomethingElseIsToldSo(t *testing.T) {
	s := start(t, nil)
	_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: s.Bootstrap()[:1], TLS: &tls.Config{}, Timeout: 5 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "does this listener speak TLS?") {
		t.Error(err)
	}
	addrs, config := secure(t, kafka.Plain)
	_, err = kafka.Dial(t.Context(), kafka.Options{Bootstrap: addrs[:1], TLS: config, SASL: &kafka.SASL{Mechanism: "SCRAM-SHA-999", Username: "me"}, Timeout: 5 * time.Second})
	if err == nil {
		t.Error("no such mechanism")
	}
}

func TestASilentServerDoesNotHoldUpAuthentication(t *testing.T) {
	silent := serve(t, func(c net.Conn) { c.Read(make([]byte, 1000)) })
	began := time.Now()
	_, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: []string{silent}, SASL: &kafka.SASL{Mechanism: kafka.Plain, Username: "me"}, Timeout: time.Second})
	if err == nil || time.Since(began) > time.Minute {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

func TestCredentialsThatCannotBeUsedAreRefused(t *testing.T) {
	token := func(context.Context) (string, error) { return "t", nil }
	for _, bad := range []*kafka.SASL{
		{}, {Mechanism: "GSSAPI", Username: "me"}, {Mechanism: kafka.Plain}, {Mechanism: kafka.OAuthBearer}, {Mechanism: "oauthbearer", Token: token},
	} {
		if _, err := kafka.Dial(t.Context(), kafka.Options{Bootstrap: []string{"127.0.0.1:1"}, SASL: bad}); err == nil || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestOlderBrokersAreReadInTheirVersions(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(3), kfake.MaxVersions(kversion.V2_8_0()), kfake.SeedTopics(2, "a"))
	must(t, err)
	t.Cleanup(c.Close)
	s, err := dial(t, kafka.Options{Bootstrap: c.ListenAddrs(), Timeout: 5 * time.Second}).Snapshot(t.Context())
	if err != nil || len(s.Brokers) != 3 || len(s.Topic("a").Partitions) != 2 {
		t.Fatal(s, err)
	}
}
