package temporal

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	sdk "go.temporal.io/sdk/temporal"
)

// Options say where runs are. Address and Store must be set.
type Options struct {
	Address   string      // of the Temporal server, host:port
	Namespace string      // "" is "default"
	Queue     string      // the task queue of the workers; "" is "gram"
	TLS       *tls.Config // nil: without
	APIKey    string      // of Temporal Cloud; may be empty
	Store     Store       // of what is too large for a history
	Name      string      // of this process, in Temporal's UI; "" is made of its number and host

	// Logger gets what the SDK reports, from warnings on; nil logs nothing.
	Logger *slog.Logger
}

// An Engine is a connection to a Temporal server. It may be shared between goroutines.
type Engine struct {
	o      Options
	client client.Client
	json   converter.DataConverter

	mu    sync.Mutex
	cache cache
}

// The search attributes of a run. Registering them is part of [Dial].
var (
	attributeAgent   = sdk.NewSearchAttributeKeyKeyword("GramAgent")
	attributeStatus  = sdk.NewSearchAttributeKeyKeyword("GramStatus")
	attributeUser    = sdk.NewSearchAttributeKeyKeyword("GramUser")
	attributeSession = sdk.NewSearchAttributeKeyKeyword("GramSession")
	attributeCost    = sdk.NewSearchAttributeKeyFloat64("GramCostUSD")
)

// Dial connects to a server, and registers the search attributes of runs if it does not have
// them. The server takes new ones after some seconds, for which Dial waits.
func Dial(ctx context.Context, o *Options) (*Engine, error) {
	e := &Engine{o: *o, json: converter.GetDefaultDataConverter()}
	if e.o.Namespace == "" {
		e.o.Namespace = client.DefaultNamespace
	}
	if e.o.Queue == "" {
		e.o.Queue = "gram"
	}
	logger := slog.New(slog.DiscardHandler)
	if o.Logger != nil {
		logger = o.Logger
	}
	options := client.Options{
		HostPort: e.o.Address, Namespace: e.o.Namespace, Identity: e.o.Name,
		Logger: log.NewStructuredLogger(logger), ConnectionOptions: client.ConnectionOptions{TLS: e.o.TLS},
	}
	if e.o.APIKey != "" {
		options.Credentials = client.NewAPIKeyStaticCredentials(e.o.APIKey)
	}
	var err error
	if e.client, err = client.DialContext(ctx, options); err != nil {
		return nil, err
	}
	if err := e.register(ctx); err != nil {
		e.client.Close()
		return nil, err
	}
	return e, nil
}

// Close ends the connection.
func (e *Engine) Close() { e.client.Close() }

// register registers the search attributes that the namespace does not have.
func (e *Engine) register(ctx context.Context) error {
	wanted := map[string]enums.IndexedValueType{
		attributeAgent.GetName(): attributeAgent.GetValueType(), attributeStatus.GetName(): attributeStatus.GetValueType(),
		attributeUser.GetName(): attributeUser.GetValueType(), attributeSession.GetName(): attributeSession.GetValueType(),
		attributeCost.GetName(): attributeCost.GetValueType(),
	}
	operator := e.client.OperatorService()
	have, err := operator.ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: e.o.Namespace})
	if err != nil {
		return err
	}
	for name := range have.CustomAttributes {
		delete(wanted, name)
	}
	if len(wanted) > 0 {
		_, err = operator.AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{Namespace: e.o.Namespace, SearchAttributes: wanted})
		var exists *serviceerror.AlreadyExists
		if err != nil && !errors.As(err, &exists) { // another process was faster
			return fmt.Errorf("the namespace has no search attributes %s, and they cannot be registered: %w", strings.Join(slices.Sorted(maps.Keys(wanted)), ", "), err)
		}
	}
	return e.waitForAttributes(ctx)
}

// waitForAttributes waits until the server takes the search attributes. It learns of new ones after some seconds,
// and refuses to begin runs before.
func (e *Engine) waitForAttributes(ctx context.Context) (err error) {
	request := &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: e.o.Namespace, Query: "GramAgent = '' AND GramStatus = '' AND GramUser = '' AND GramSession = '' AND GramCostUSD = 0",
	}
	for range 240 {
		_, err = e.client.CountWorkflow(ctx, request)
		var unknown *serviceerror.InvalidArgument
		if !errors.As(err, &unknown) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
	return err
}
