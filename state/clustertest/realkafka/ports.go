package realkafka

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// freePorts finds n ports of loopback that nobody listens on. They lie under
// the range from which systems number outgoing connections, so that a broker
// that was killed finds its port free when it comes back.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range 1000 {
		port := 20000 + rand.IntN(10000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		defer l.Close()
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("no %d free ports found on loopback", n)
}
