package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// codeUnsupportedVersion is Kafka's UNSUPPORTED_VERSION.
const codeUnsupportedVersion = 35

// UnsupportedError says that a broker does not know a request that is needed.
type UnsupportedError struct {
	Request string
	Addr    string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the broker at %s does not know %s in any version that ballast speaks", e.Addr, e.Request)
}

// isUnsupported says whether an error is that the broker does not know a request.
func isUnsupported(err error) bool { return errors.As(err, new(*UnsupportedError)) }

// negotiate learns the versions of requests that the broker knows (KIP-35).
func (c *conn) negotiate(ctx context.Context) error {
	req := kmsg.NewPtrApiVersionsRequest()
	req.ClientSoftwareName, req.ClientSoftwareVersion = clientName, "1"
	req.SetVersion(3)
	resp, err := c.apiVersions(ctx, req)
	if err == nil && resp.ErrorCode == codeUnsupportedVersion {
		req.SetVersion(0)
		resp, err = c.apiVersions(ctx, req)
	}
	if err != nil {
		return err
	}
	if resp.ErrorCode != 0 {
		return kafkaError(resp.ErrorCode, nil)
	}
	c.versions = make(map[int16]versionRange, len(resp.ApiKeys))
	for _, k := range resp.ApiKeys {
		c.versions[k.ApiKey] = versionRange{k.MinVersion, k.MaxVersion}
	}
	return nil
}

func (c *conn) apiVersions(ctx context.Context, req *kmsg.ApiVersionsRequest) (*kmsg.ApiVersionsResponse, error) {
	resp, err := c.exchange(ctx, req)
	if err != nil {
		return nil, err
	}
	return resp.(*kmsg.ApiVersionsResponse), nil
}

// newest are the newest versions taken of requests that say something else in
// later ones: OffsetCommit names topics by id from 10 on, JoinGroup lets a
// leader that joins again skip the assignment from 9 on.
var newest = map[int16]int16{
	int16(kmsg.OffsetCommit): 9,
	int16(kmsg.JoinGroup):    8,
}

// setVersion takes the highest version that both ends know.
func (c *conn) setVersion(req kmsg.Request) error {
	r, ok := c.versions[req.Key()]
	v := min(r.max, req.MaxVersion())
	if n, ok := newest[req.Key()]; ok {
		v = min(v, n)
	}
	if !ok || v < r.min {
		return &UnsupportedError{Request: kmsg.NameForKey(req.Key()), Addr: c.addr}
	}
	req.SetVersion(v)
	return nil
}

// identify asks the broker for its cluster and the other brokers' addresses.
func (c *conn) identify(ctx context.Context) (*identity, error) {
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = []kmsg.MetadataRequestTopic{} // none; nil would be all
	if err := c.setVersion(req); err != nil {
		return nil, err
	}
	resp, err := c.exchange(ctx, req)
	if err != nil {
		return nil, err
	}
	return identityOf(resp.(*kmsg.MetadataResponse)), nil
}

// identityOf takes out of a metadata answer what routing needs.
func identityOf(m *kmsg.MetadataResponse) *identity {
	id := &identity{controller: state.BrokerID(m.ControllerID), addrs: make(map[state.BrokerID]string, len(m.Brokers))}
	if m.ClusterID != nil {
		id.clusterID = *m.ClusterID
	}
	for _, b := range m.Brokers {
		id.addrs[state.BrokerID(b.NodeID)] = net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))
	}
	return id
}
