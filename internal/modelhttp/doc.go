// Package modelhttp is what all models over HTTP have in common: connections that
// are used again, limits of time and size, retries, errors for people, and a key
// that appears in none of them, nor in what a server echoes.
//
// A model makes one attempt; [Client.Generate] and [Client.Stream] repeat it. In an
// attempt it sends the request with [Client.Whole], which returns the body, or with
// [Client.Open], whose body an [EventReader] or the SDK of a provider reads as it
// arrives. Both send a request once, and every failure of theirs is a [*Fault]. A
// response that came but cannot be used is a Fault of [Client.BodyFault],
// [EndFault] or [LargeFault].
//
//	client, err := modelhttp.New(provider, provider.Address, &modelhttp.Options{APIKey: …})
//	…
//	response, err := client.Stream(ctx, r, yield, func(ctx context.Context, yield modelhttp.Yield) (*runtime.Response, error) {
//		request, err := http.NewRequestWithContext(ctx, …)
//		…
//		response, err := client.Open(request)
//		if err != nil {
//			return nil, err
//		}
//		defer response.Body.Close()
//		events := modelhttp.NewEventReader(response.Body)
//		for {
//			event, err := events.Next()
//			…
//		}
//	})
package modelhttp
