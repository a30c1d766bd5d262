package kafka

import "time"

// AgeConnections makes all connections of a client look idle for long.
func AgeConnections(c *Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.peers {
		p.mu.Lock()
		if p.open != nil {
			p.open.lastUsed = time.Time{}
		}
		p.mu.Unlock()
	}
}

// StopHeartbeats lets a log's lock expire as if its process had died.
func StopHeartbeats(l *Log) {
	l.lock.stop()
	<-l.lock.done
}
