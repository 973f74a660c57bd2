package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/engine/temporal"
)

// A connection is where the runs are, as the flags say.
type connection struct {
	address, namespace, queue string
	store                     string
	name                      string // of this process in Temporal's UI; "" is made of its number and host
	secure                    bool
}

func (c *connection) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.address, "temporal", "", "the `HOST` of the Temporal server, as host:port (default $TEMPORAL_ADDRESS, or 127.0.0.1:7233)")
	f.StringVar(&c.namespace, "namespace", "", "the Temporal `NAMESPACE` (default $TEMPORAL_NAMESPACE, or default)")
	f.StringVar(&c.queue, "queue", "gram", "the task `QUEUE` that all workers share")
	f.StringVar(&c.store, "store", "", "where programs and what is over 64 KB is kept, for all machines: a `STORE` as postgres://…, or a folder that they share (default $GRAM_STORE)")
	f.BoolVar(&c.secure, "tls", false, "connect with TLS, as to Temporal Cloud; $TEMPORAL_API_KEY is its key")
}

// dial connects to the Temporal server and to the store.
func (c *cli) dial(ctx context.Context, logger *slog.Logger) (*engine, error) {
	variable := func(name string) string {
		value, _ := c.lookup(name)
		return value
	}
	where := cmp.Or(c.store, variable("GRAM_STORE"))
	if where == "" {
		return nil, errors.New("name the store that all workers share: --store postgres://…, or --store FOLDER")
	}
	address := cmp.Or(c.address, variable("TEMPORAL_ADDRESS"), "127.0.0.1:7233")
	if !strings.Contains(address, ":") {
		address += ":7233"
	}
	key := variable("TEMPORAL_API_KEY")
	o := &temporal.Options{
		Address: address, Namespace: cmp.Or(c.namespace, variable("TEMPORAL_NAMESPACE")), Queue: c.queue, Name: c.name, APIKey: key, Logger: logger,
	}
	if c.secure || key != "" {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	store, closeStore, err := openStore(ctx, where)
	if err != nil {
		return nil, &exit{exitRun, fmt.Errorf("the store: %w", err)}
	}
	o.Store = store
	connected, err := temporal.Dial(ctx, o)
	if err != nil {
		closeStore()
		return nil, &exit{exitRun, fmt.Errorf("the Temporal server at %s: %w", address, err)}
	}
	return &engine{Engine: connected, live: newLive(), closeStore: closeStore}, nil
}

// openStore opens the store of a URL of Postgres, or else a folder.
func openStore(ctx context.Context, where string) (temporal.Store, func(), error) {
	if !strings.HasPrefix(where, "postgres://") && !strings.HasPrefix(where, "postgresql://") {
		return temporal.Files(where), func() {}, nil
	}
	store, err := temporal.OpenPostgres(ctx, where)
	if err != nil {
		return nil, nil, err
	}
	return store, store.Close, nil
}
