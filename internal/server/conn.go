package server

import (
	"net"
	"time"
)

// A timedListener accepts connections that end if the other side does not take what is sent.
type timedListener struct {
	net.Listener
	limit time.Duration // for one piece
}

func (l timedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return timedConn{conn, l.limit}, nil
}

type timedConn struct {
	net.Conn
	limit time.Duration
}

func (c timedConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
