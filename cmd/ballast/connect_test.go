package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

// authority signs certificates for loopback.
type authority struct {
	*testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	a := &authority{T: t}
	a.cert, a.key, a.pem, _ = a.issue(true)
	return a
}

// issue makes a certificate and its key, signed by the authority or by itself.
func (a *authority) issue(ca bool) (cert *x509.Certificate, key *ecdsa.PrivateKey, certPEM, keyPEM []byte) {
	a.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	a.must(err)
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: map[bool]string{true: "authority", false: "broker"}[ca]}, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: ca, BasicConstraintsValid: true}
	parent, signer := template, key
	if !ca {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	a.must(err)
	cert, err = x509.ParseCertificate(der)
	a.must(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	a.must(err)
	return cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

func (a *authority) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}

// fortress is a server that wants TLS, a certificate of ours, and a password.
type fortress struct {
	*authority
	dir     string // of a configuration with which one comes in
	address string
}

func newFortress(t *testing.T, mechanism string) *fortress {
	f := &fortress{authority: newAuthority(t), dir: t.TempDir()}
	_, _, certPEM, keyPEM := f.issue(false)
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	f.must(err)
	pool := x509.NewCertPool()
	pool.AddCert(f.cert)
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"), kfake.EnableSASL(), kfake.Superuser(mechanism, "me", "s3same-open"),
		kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}))
	f.must(err)
	t.Cleanup(c.Close)
	f.address = c.ListenAddrs()[0]
	_, _, mine, key := f.issue(false)
	f.file("ca.pem", string(f.pem))
	f.file("me.pem", string(mine))
	f.file("me.key", string(key))
	f.file("main.hcl", fmt.Sprintf(`cluster "fortress" {
  bootstrap = [%q]
  tls {
    ca_file   = "ca.pem"
    cert_file = "me.pem"
    key_file  = "me.key"
  }
  sasl {
    mechanism = %q
    username  = "me"
    password  = env("PASSWORD")
  }
}
`, f.address, mechanism))
	return f
}

func (f *fortress) file(name, text string) {
	f.Helper()
	f.must(os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600))
}

// edit changes a line of the configuration, and takes the change back in the
// end.
func (f *fortress) edit(from, to string, then func()) {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, "main.hcl"))
	f.must(err)
	if !strings.Contains(string(text), from) {
		f.Fatalf("there is no %q", from)
	}
	f.file("main.hcl", strings.Replace(string(text), from, to, 1))
	then()
	f.file("main.hcl", string(text))
}

// ballast runs the program from elsewhere, and sees that no secret is shown.
func (f *fortress) ballast(wantExit int, password string, args ...string) string {
	f.Helper()
	out := &bytes.Buffer{}
	cmd := exec.Command(os.Args[0], append(args, f.dir)...)
	cmd.Env = append(os.Environ(), asBallast+"=1", "NO_COLOR=1", "PASSWORD="+password)
	cmd.Stdout, cmd.Stderr, cmd.Dir = out, out, f.TempDir()
	cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != wantExit {
		f.Fatalf("ballast %s exits with %d, want %d:\n%s", strings.Join(args, " "), got, wantExit, out)
	}
	if strings.Contains(out.String(), password) {
		f.Errorf("the password is shown:\n%s", out)
	}
	return out.String()
}

func TestEncryptedAndAuthenticatedConnections(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		f := newFortress(t, mechanism)
		if out := f.ballast(exitDone, "s3same-open", "snapshot"); !strings.Contains(out, "orders") {
			t.Errorf("%s: %s", mechanism, out)
		}
		f.ballast(exitDone, "s3same-open", "plan", "-json")
		out := f.ballast(exitError, "wr0ng-word", "snapshot")
		if !strings.Contains(out, f.address) || !strings.Contains(strings.ToLower(out), "authentication failed") {
			t.Errorf("%s, with a wrong password:\n%s", mechanism, out)
		}
		t.Log(out)
	}
}

func TestWhatIsWrongWithAConnectionIsSaidAtItsLine(t *testing.T) {
	f := newFortress(t, "SCRAM-SHA-512")
	_, _, _, other := f.issue(false)
	f.file("other.key", string(other))
	f.file("locked.key", string(pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")})))
	f.file("theirs.pem", string(newAuthority(t).pem))
	for _, c := range []struct{ from, to, want string }{
		{`"ca.pem"`, `"gone.pem"`, "main.hcl line 4"},
		{`"ca.pem"`, `"main.hcl"`, "has no certificate in PEM"},
		{`"ca.pem"`, `"theirs.pem"`, "certificate signed by unknown authority"},
		{`"me.pem"`, `"me.key"`, "main.hcl line 5"},
		{`"me.key"`, `"gone.key"`, "main.hcl line 6"},
		{`"me.key"`, `"other.key"`, "is not the key of"},
		{`"me.key"`, `"locked.key"`, "a key with a passphrase"},
		{`  cert_file = "me.pem"`, `# cert_file = "me.pem"`, "go together"},
		{`"ca.pem"`, `""`, "it is empty"},
	} {
		f.edit(c.from, c.to, func() {
			for _, verb := range [][]string{{"snapshot"}, {"plan"}, {"status"}} {
				if out := f.ballast(exitError, "s3same-open", verb...); !strings.Contains(unwrapped(out), c.want) {
					t.Errorf("%s with %s does not say %q:\n%s", verb[0], c.to, c.want, out)
				}
			}
		})
	}
}

// unwrapped is a text without its line breaks and bars.
func unwrapped(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "│", "")), " ")
}

// A password goes to nobody where its encryption is broken: a listener that
// wants neither sees no connection.
func TestNobodyConnectsByABrokenBlock(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan struct{})
	go func() {
		if c, err := listener.Accept(); err == nil {
			c.Close()
			close(called)
		}
	}()
	f := newFortress(t, "PLAIN")
	f.edit(f.address, listener.Addr().String(), func() {
		f.edit("ca_file  ", "ca_fil  ", func() {
			if out := f.ballast(exitError, "s3same-open", "plan"); !strings.Contains(out, "ca_file") {
				t.Error(out)
			}
			f.ballast(exitError, "s3same-open", "status")
		})
	})
	listener.Close()
	select {
	case <-called:
		t.Error("it connected")
	default:
	}
}

// A rehearsal is in this process: it needs no files and no password.
func TestARehearsalTakesNoCredentials(t *testing.T) {
	f := newFortress(t, "PLAIN")
	snapshot := filepath.Join(t.TempDir(), "s.json")
	f.ballast(exitDone, "s3same-open", "snapshot", "-out", snapshot)
	f.must(os.Remove(filepath.Join(f.dir, "me.key")))
	f.ballast(exitDone, "other-word", "apply", "-auto-approve", "-sandbox", snapshot)
	f.ballast(exitDone, "other-word", "plan", "-snapshot", snapshot)
}
