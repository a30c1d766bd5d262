package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// The SASL mechanisms that ballast speaks.
const (
	Plain       = "PLAIN"
	ScramSHA256 = "SCRAM-SHA-256"
	ScramSHA512 = "SCRAM-SHA-512"
	OAuthBearer = "OAUTHBEARER"
)

// SASL says who we are to the brokers. It prints as its mechanism alone.
type SASL struct {
	Mechanism string
	Username  string
	Password  string
	Token     func(ctx context.Context) (string, error) // of OAUTHBEARER; asked for each connection
	Region    string                                    // of AWS_MSK_IAM
}

// String is the mechanism: nothing that is secret is printed.
func (s *SASL) String() string {
	if s == nil {
		return "no SASL"
	}
	return s.Mechanism
}

// GoString is String, so that %#v prints no secret either.
func (s *SASL) GoString() string { return s.String() }

// mechanism makes what kafka-go authenticates with; nil for none.
func (s *SASL) mechanism() (sasl.Mechanism, error) {
	if s == nil {
		return nil, nil
	}
	switch {
	case s.Mechanism == AWSMSKIAM:
		return s.byIAM()
	case s.Mechanism == OAuthBearer && s.Token == nil:
		return nil, errors.New("SASL OAUTHBEARER needs a token")
	case s.Mechanism == OAuthBearer:
		return bearer{s.Token}, nil
	case s.Username == "":
		return nil, fmt.Errorf("SASL %s needs a username", s.Mechanism)
	}
	switch s.Mechanism {
	case Plain:
		return plain.Mechanism{Username: s.Username, Password: s.Password}, nil
	case ScramSHA256:
		return scram.Mechanism(scram.SHA256, s.Username, s.Password)
	case ScramSHA512:
		return scram.Mechanism(scram.SHA512, s.Username, s.Password)
	}
	return nil, fmt.Errorf("SASL mechanism %q is none of %s, %s, %s, %s, %s", s.Mechanism, Plain, ScramSHA256, ScramSHA512, OAuthBearer, AWSMSKIAM)
}

// bearer is OAUTHBEARER (RFC 7628), which kafka-go lacks.
type bearer struct {
	token func(ctx context.Context) (string, error)
}

// Name is Kafka's name of the mechanism.
func (bearer) Name() string { return OAuthBearer }

// Start sends the token.
func (b bearer) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	token, err := b.token(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("getting a token: %w", err)
	}
	return bearerSession{}, []byte("n,,\x01auth=Bearer " + token + "\x01\x01"), nil
}

type bearerSession struct{}

// Next takes the broker's answer: empty where it accepts the token.
func (bearerSession) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	if len(challenge) > 0 {
		return false, nil, fmt.Errorf("the broker refuses the token: %s", challenge)
	}
	return true, nil, nil
}

// dial opens a connection through kafka-go's Dialer, which is the part of
// kafka-go that authenticates, and keeps the connection under it. TLS begins
// in here: what the Dialer's own TLS gave us would be the connection under the
// encryption.
func (c *Client) dial(ctx context.Context, addr string) (net.Conn, error) {
	mechanism, err := c.opts.SASL.mechanism()
	if err != nil {
		return nil, err
	}
	var kept net.Conn
	stop := func() bool { return true }
	d := kafka.Dialer{ClientID: clientName, SASLMechanism: mechanism, DialFunc: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext(ctx, network, address)
		if err == nil {
			conn, err = encrypt(ctx, conn, addr, c.opts.TLS)
		}
		if err != nil {
			return nil, err
		}
		kept = conn
		stop = context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) }) // kafka-go authenticates for as long as it takes
		return conn, nil
	}}
	_, err = d.DialContext(ctx, "tcp", addr)
	if !stop() && err == nil {
		kept.Close()
		err = ctx.Err()
	}
	if err != nil {
		return nil, c.opts.SASL.explain(err)
	}
	return kept, nil
}

// encrypt does the TLS handshake, where TLS is asked for.
func encrypt(ctx context.Context, conn net.Conn, addr string, config *tls.Config) (net.Conn, error) {
	if config == nil {
		return conn, nil
	}
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			conn.Close()
			return nil, err
		}
		config = config.Clone()
		config.ServerName = host
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, &tlsError{err}
	}
	return secure, nil
}
