package importer

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// An openAPIService is what the operations of a document have in common.
type openAPIService struct {
	name, title string
	url         string
	prefix      string // of environment variables
	schemes     *jsonschema.Node
	security    *jsonschema.Node
	entries     []*ast.Pattern
	hasBasic    bool // an entry sends a password
}

// service reads where an OpenAPI document says its service is.
func (o *openAPI) service(root *jsonschema.Node) *openAPIService {
	info := root.Get("info")
	s := &openAPIService{
		title: info.Get("title").Text(), security: root.Get("security"),
		schemes: root.Get(components).Get("securitySchemes"), prefix: "API",
	}
	for _, word := range strings.FieldsFunc(s.title, func(r rune) bool { return r > 'z' || !isServiceNameByte(byte(r)) }) {
		if lower := strings.ToLower(word); lower != "the" && lower != "api" && lower != "openapi" && lower != "swagger" && !strings.Contains("0123456789", word[:1]) {
			s.prefix, s.name = strings.ToUpper(word), lower
			break
		}
	}
	s.name = strings.TrimSuffix(s.name, "_") + "Api"
	if s.prefix == "API" {
		s.name = "api"
	}
	if servers := root.ItemsOf("servers"); len(servers) > 0 {
		s.url = servers[0].Get("url").Text()
		for _, v := range servers[0].MembersOf("variables") {
			s.url = strings.ReplaceAll(s.url, "{"+v.Key+"}", v.Value.Get("default").Text())
		}
	}
	s.url = strings.TrimSuffix(s.url, "/")
	if !strings.Contains(s.url, "://") || strings.ContainsAny(s.url, "{}$") {
		s.url = "${" + s.prefix + "_URL}" + s.path()
	}
	return s
}

// path returns the URL of a server that is only a path, "" for others.
func (s *openAPIService) path() string {
	if strings.HasPrefix(s.url, "/") && !strings.ContainsAny(s.url, "{}$") {
		return s.url
	}
	return ""
}

// libraryText returns the library of a document, "" without entries.
func (s *openAPIService) libraryText() string {
	if s == nil || len(s.entries) == 0 {
		return ""
	}
	r := &ast.Record{}
	if s.title != "" {
		addToPattern(r, "description", textValue(s.title, true))
	}
	p := typePattern("Library", r, s.entries...)
	p.Subject.Identity = ast.NewName(s.name)
	comment := ""
	if s.hasBasic {
		comment = "// The value of " + s.prefix + "_PASSWORD is user:password in base64.\n"
	}
	return comment + ast.Print(p) + "\n"
}

func isServiceNameByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
