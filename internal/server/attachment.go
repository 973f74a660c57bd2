package server

import (
	"encoding/base64"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// attachment reads a data URL. The server fetches nothing, so other URLs are refused.
func attachment(at, name, url string) (a runtime.Attachment, _ *problem) {
	rest, ok := strings.CutPrefix(url, "data:")
	head, data, found := strings.Cut(rest, ",")
	media, base64d := strings.CutSuffix(head, ";base64")
	if !ok || !found || !base64d || media == "" {
		return a, invalid(at, "images and files are sent as data URLs in base64, such as data:image/png;base64,…; the server fetches nothing")
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return a, invalid(at, "the data is not base64")
	}
	return runtime.Attachment{Name: name, MediaType: media, Data: bytes}, nil
}
