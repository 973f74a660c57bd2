package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A site is a service whose responses are known.
type site struct {
	name   string
	base   string // its address
	client *http.Client
}

// newSite returns the service at an address. One that was configured is open
// wherever it is.
func newSite(name, address string, configured bool) (*site, error) {
	u, err := parseSiteOrigin(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("url: %w", err)
	case u.RawQuery != "", u.Fragment != "":
		return nil, errors.New("url: it may have no query or fragment")
	}
	var open []string
	if configured {
		open = []string{u.Host}
	}
	client, err := newRequestClient(open...)
	return &site{name, strings.TrimSuffix(address, "/"), client}, err
}

// parseSiteOrigin parses a URL that must have a scheme of the web and a host.
func parseSiteOrigin(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, unwrapRequestError(err)
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("it must start with https:// or http:// and a host")
	case u.User != nil:
		return nil, errors.New("it may have no user name; a service can have a header Authorization")
	}
	return u, nil
}

// json decodes the response to a GET request for what is at a path.
func (s *site) json(ctx context.Context, path string, header http.Header, response any) error {
	r, err := getRequest(ctx, s.client, s.base+path, header)
	if err != nil {
		return err
	}
	if err := checkRequestStatus(s.name, r); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Body, response); err != nil {
		return fmt.Errorf("the response of %s is not as expected: %w", s.name, err)
	}
	return nil
}
