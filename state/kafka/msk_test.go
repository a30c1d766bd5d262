package kafka

import (
	"encoding/base64"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

func TestATokenOfIAMIsASignedRequestToConnect(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "sesame-open")
	t.Setenv("AWS_SESSION_TOKEN", "")
	m, err := (&SASL{Mechanism: AWSMSKIAM, Region: "eu-west-1"}).mechanism()
	if err != nil || m.Name() != "OAUTHBEARER" {
		t.Fatal(m, err)
	}
	_, first, err := m.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSuffix(strings.TrimPrefix(string(first), "n,,\x01auth=Bearer "), "\x01\x01")
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || strings.Contains(string(text), "sesame-open") {
		t.Fatalf("%q: %v", text, err)
	}
	request, err := url.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	q := request.Query()
	if request.Host != "kafka.eu-west-1.amazonaws.com" || q.Get("Action") != "kafka-cluster:Connect" || q.Get("X-Amz-Signature") == "" ||
		!strings.HasPrefix(q.Get("X-Amz-Credential"), "AKIDEXAMPLE/") || !strings.HasSuffix(q.Get("X-Amz-Credential"), "/eu-west-1/kafka-cluster/aws4_request") {
		t.Errorf("the token is %s", request)
	}
}

func TestWithoutCredentialsOfAWSItSaysWhereFrom(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"} {
		t.Setenv(name, "")
	}
	nothing := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", nothing)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", nothing)
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	m, err := (&SASL{Mechanism: AWSMSKIAM, Region: "eu-west-1"}).mechanism()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "AWS_PROFILE") {
		t.Error(err)
	}
}

func TestTheAddressesOfMSKTellTheirRegion(t *testing.T) {
	for addr, want := range map[string]string{
		"b-1.prod.abc123.c2.kafka.eu-west-1.amazonaws.com:9098":        "eu-west-1",
		"b-1-public.prod.abc123.c2.kafka.us-east-2.amazonaws.com:9198": "us-east-2",
		"boot-abc.c1.kafka-serverless.ap-south-1.amazonaws.com:9098":   "ap-south-1",
		"b-2.prod.abc123.c3.kafka.cn-north-1.amazonaws.com.cn:9098":    "cn-north-1",
		"kafka-1:9098": "", "10.0.0.1:9098": "", "kafka": "", "kafka.eu-west-1.amazonaws.com.example:9098": "",
	} {
		if got := MSKRegion([]string{addr}); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
	if got := MSKRegion([]string{"x:1", "b-1.p.a.c2.kafka.sa-east-1.amazonaws.com:9098"}); got != "sa-east-1" {
		t.Error(got)
	}
	if _, err := (&SASL{Mechanism: AWSMSKIAM}).mechanism(); err == nil {
		t.Error("no error without a region")
	}
}
