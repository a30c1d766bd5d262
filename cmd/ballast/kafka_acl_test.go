package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// authorized are the server properties under which ACLs count. Whoever comes
// by the plain listener, the brokers among them, may do everything.
var authorized = map[string]string{
	"authorizer.class.name":          "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
	"super.users":                    "User:ANONYMOUS",
	"allow.everyone.if.no.acl.found": "true",
}

// mayNotReadConfigs denies ballast's user DescribeConfigs of a declared topic:
// plan names both, and takes the configs not for empty.
func (s *story) mayNotReadConfigs() {
	s.Helper()
	const me, topic = "User:me", "orders"
	main, err := os.ReadFile(filepath.Join(s.dir, "main.hcl"))
	if err != nil {
		s.Fatal(err)
	}
	s.put("main.hcl", strings.Replace(string(main), "partitions         = 4", "partitions         = 4\n  min_insync_replicas = 1", 1))
	s.acl(me, topic, kmsg.ACLOperationAll, kmsg.ACLPermissionTypeAllow)
	s.acl(me, topic, kmsg.ACLOperationDescribeConfigs, kmsg.ACLPermissionTypeDeny)
	var said string
	s.until("plan is told that it may not read configs", func() bool {
		cmd, out := s.command("plan")
		cmd.Run()
		said = out.String()
		return cmd.ProcessState.ExitCode() == exitError && strings.Contains(said, "DescribeConfigs")
	})
	if !strings.Contains(said, `"`+topic+`"`) || strings.Contains(said, "min.insync.replicas ") {
		s.Errorf("plan says:\n%s", said)
	}
	s.Logf("without DescribeConfigs:\n%s", said)
}

// acl adds an ACL for a topic, as one who may.
func (s *story) acl(principal, topic string, op kmsg.ACLOperation, permission kmsg.ACLPermissionType) {
	s.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(s.kafka.Bootstrap()...))
	if err != nil {
		s.Fatal(err)
	}
	defer client.Close()
	c := kmsg.NewCreateACLsRequestCreation()
	c.ResourceType, c.ResourceName, c.ResourcePatternType = kmsg.ACLResourceTypeTopic, topic, kmsg.ACLResourcePatternTypeLiteral
	c.Principal, c.Host, c.Operation, c.PermissionType = principal, "*", op, permission
	req := kmsg.NewPtrCreateACLsRequest()
	req.Creations = append(req.Creations, c)
	resp, err := req.RequestWith(s.Context(), client)
	if err != nil {
		s.Fatal(err)
	}
	if r := resp.Results[0]; r.ErrorCode != 0 {
		s.Fatalf("ACL: code %d", r.ErrorCode)
	}
}
