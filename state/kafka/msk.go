package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"

	"github.com/aws/aws-msk-iam-sasl-signer-go/signer"
)

// AWSMSKIAM is the mechanism of Amazon MSK's access control by IAM. On the wire
// it is OAUTHBEARER, which these brokers take as well as the mechanism of that
// name, with a request to kafka-cluster:Connect for a token, signed by
// credentials of this process: those of the environment, of the shared files
// (AWS_PROFILE), of a web identity, of the container or of the instance.
const AWSMSKIAM = "AWS_MSK_IAM"

// mskHost is how Amazon names the brokers of MSK: provisioned, reached by the
// public, and serverless.
var mskHost = regexp.MustCompile(`\.kafka(?:-serverless)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$`)

// MSKRegion is the AWS region that addresses (HOST:PORT) of Amazon MSK are in,
// or "" where none of them tells.
func MSKRegion(bootstrap []string) string {
	for _, addr := range bootstrap {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			continue
		}
		if m := mskHost.FindStringSubmatch(host); m != nil {
			return m[1]
		}
	}
	return ""
}

// mskToken makes a token for each connection: one lasts for fifteen minutes.
func mskToken(region string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		token, _, err := signer.GenerateAuthToken(ctx, region)
		if err != nil {
			return "", fmt.Errorf("AWS gives no credentials (set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run under a role): %w", err)
		}
		return token, nil
	}
}

// byIAM is the mechanism of AWS_MSK_IAM.
func (s *SASL) byIAM() (bearer, error) {
	if s.Region == "" {
		return bearer{}, errors.New("SASL AWS_MSK_IAM needs a region")
	}
	return bearer{mskToken(s.Region)}, nil
}
