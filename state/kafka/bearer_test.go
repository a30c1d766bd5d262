package kafka

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestABearersTokenIsSentAsRFC7628Says(t *testing.T) {
	who := &SASL{Mechanism: OAuthBearer, Token: func(context.Context) (string, error) { return "t0ken", nil }}
	m, err := who.mechanism()
	if err != nil || m.Name() != "OAUTHBEARER" {
		t.Fatal(m, err)
	}
	session, first, err := m.Start(t.Context())
	if err != nil || string(first) != "n,,\x01auth=Bearer t0ken\x01\x01" {
		t.Fatalf("%q %v", first, err)
	}
	if done, _, err := session.Next(t.Context(), nil); !done || err != nil {
		t.Error(done, err)
	}
	if done, _, err := session.Next(t.Context(), []byte(`{"status":"invalid_token"}`)); done || err == nil || !strings.Contains(err.Error(), "invalid_token") {
		t.Error(done, err)
	}
	who.Token = func(context.Context) (string, error) { return "", errors.New("no network") }
	m, _ = who.mechanism()
	if _, _, err := m.Start(t.Context()); err == nil {
		t.Error("no error")
	}
}
