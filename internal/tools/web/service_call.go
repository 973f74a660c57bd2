package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// call is the handler of the tool.
func (s *service) call(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
	req, err := s.callRequest(ctx, args)
	if err != nil {
		return nil, err
	}
	response, err := sendRequest(s.client, req)
	if err == nil {
		err = checkRequestStatus("the service", response)
	}
	if err != nil {
		return nil, err
	}
	return s.callResult(response)
}

// callRequest makes a request of arguments. They have passed the schema.
func (s *service) callRequest(ctx context.Context, args json.RawMessage) (*http.Request, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return nil, err
	}
	address, err := s.url.expand(func(argument string) ([]string, error) {
		items, ok := callScalars(given[argument])
		if !ok {
			return nil, invalidRequest("%s must be a text, a number, a boolean or a list of these: it is part of the address", argument)
		}
		return items, nil
	})
	if err != nil {
		return nil, err
	}
	all := maps.Clone(given)
	maps.DeleteFunc(given, func(name string, _ json.RawMessage) bool {
		return slices.Contains(s.url.arguments, name) || !s.declared(name)
	})
	query, content, err := s.callPlaced(given)
	if err != nil {
		return nil, err
	}
	if address, err = s.addCallQuery(address, query); err != nil {
		return nil, err
	}
	var body io.Reader
	contentType := ""
	switch {
	case !s.hasBody:
	case s.form:
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(content, &fields); err != nil {
			return nil, err
		}
		body, contentType = strings.NewReader(s.callForm(fields).Encode()), "application/x-www-form-urlencoded"
	default:
		body, contentType = bytes.NewReader(content), "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, s.method, address, body)
	if err != nil {
		return nil, unwrapRequestError(err)
	}
	req.Header.Set("Accept", "application/json, text/*;q=0.9, */*;q=0.5")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	runtime.TraceContextOf(ctx).Each(req.Header.Set)
	if key := runtime.CallKey(ctx); key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	return req, s.headers.fill(req.Header, all)
}

// callPlaced returns the parameters of the query and the body for arguments. Those
// that stand nowhere go into the body, or into the query where the body is no
// object.
func (s *service) callPlaced(given map[string]json.RawMessage) (query map[string]json.RawMessage, body json.RawMessage, err error) {
	query = map[string]json.RawMessage{}
	rest := maps.Clone(given)
	for _, name := range slices.Concat(s.query.names(), s.content.names(), s.headers.names()) {
		delete(rest, name)
	}
	if s.query != nil {
		text, err := s.query.fill(given)
		if err == nil {
			err = json.Unmarshal(text, &query)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	members := map[string]json.RawMessage{}
	if s.content != nil {
		if body, err = s.content.fill(given); err != nil {
			return nil, nil, err
		}
		if s.content.isArgument() || json.Unmarshal(body, &members) != nil {
			members = nil
		}
	}
	if !s.hasBody || members == nil {
		maps.Copy(query, rest)
		return query, body, nil
	}
	maps.Copy(members, rest)
	body, err = plainjson.Marshal(members)
	return query, body, err
}

// addCallQuery adds parameters to the query of a URL.
func (s *service) addCallQuery(address string, parameters map[string]json.RawMessage) (string, error) {
	for _, key := range s.url.keys {
		if _, ok := parameters[key]; ok {
			return "", invalidRequest("%s cannot be set: the address has a value for it", key)
		}
	}
	added := s.callForm(parameters).Encode()
	switch {
	case added == "":
		return address, nil
	case s.url.query == nil:
		return address + "?" + added, nil
	case strings.HasSuffix(address, "?"), strings.HasSuffix(address, "&"):
		return address + added, nil
	}
	return address + "&" + added, nil
}

// callScalar returns a text as it is, and a number or boolean as JSON has it.
func callScalar(value json.RawMessage) (string, bool) {
	if len(value) == 0 || strings.IndexByte("{[n", value[0]) >= 0 {
		return "", false
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		text = string(value)
	}
	return text, true
}

// callScalars returns the texts of a scalar or of a list of scalars.
func callScalars(value json.RawMessage) (texts []string, ok bool) {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil || items == nil {
		items = []json.RawMessage{value}
	}
	for _, item := range items {
		text, ok := callScalar(item)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// callForm returns parameters as a form has them: one value for each item of a
// list, or one with commas between them, none for null, JSON for objects.
func (s *service) callForm(parameters map[string]json.RawMessage) url.Values {
	values := url.Values{}
	for name, value := range parameters {
		if texts, ok := callScalars(value); ok && len(texts) > 0 && slices.Contains(s.commas, name) {
			values.Add(name, strings.Join(texts, ","))
			continue
		}
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			items = []json.RawMessage{value}
		}
		for _, item := range items {
			if text, ok := callScalar(item); ok {
				values.Add(name, text)
			} else if string(item) != "null" {
				values.Add(name, string(item))
			}
		}
	}
	return values
}

// callResult returns the part of a response that is the result: JSON by its
// content type or because a part of it is wanted, else text.
func (s *service) callResult(r *guard.Response) (json.RawMessage, error) {
	text := decodeMediaType(r)
	switch {
	case s.result == nil && strings.TrimSpace(text) == "":
		return plainjson.String(requestStatusLine(r.Status)), nil
	case s.result == nil && !isJSONMediaType(mediaType(r)):
		return plainjson.String(text), nil
	case !json.Valid([]byte(text)):
		return nil, fmt.Errorf("the response is not JSON: %s", excerpt.Printable(text, 500))
	}
	value := json.RawMessage(text)
	for i, token := range s.result {
		inner, has := callResultMember(value, jsonpointer.Key(token))
		if inner == nil {
			return nil, fmt.Errorf("the response has nothing at /%s, only %s", strings.Join(s.result[:i+1], "/"), has)
		}
		value = inner
	}
	return value, nil
}

// callResultMember returns the member or item of a JSON value that a key names, or nil
// and what the value has instead.
func callResultMember(value json.RawMessage, key string) (inner json.RawMessage, has string) {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) == nil && members != nil {
		names := slices.Sorted(maps.Keys(members))
		return members[key], excerpt.Printable(strings.Join(names, ", "), 200)
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) == nil && items != nil {
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(items) && strconv.Itoa(i) == key {
			return items[i], ""
		}
		return nil, fmt.Sprintf("a list of %d", len(items))
	}
	return nil, excerpt.Printable(string(value), 60)
}
