package library

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
)

// This file checks addresses.

// variableMark stands for an environment variable in the head of an address.
const variableMark = "\x00"

// url checks the address of an entry. Headers are what is sent there.
func (r *entryReader) url(key string, t Text, headers []Variable) {
	p := r.property(key)
	if p == nil || t.IsZero() {
		return
	}
	head, fixed := r.urlHead(t)
	if !fixed {
		return
	}
	if strings.ContainsFunc(t.Written, unicode.IsSpace) {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s contains whitespace; in an address that is %%20", r.whose(key))
		return
	}
	if strings.HasPrefix(head, variableMark) {
		return // only the environment knows more
	}
	scheme, host, _ := strings.Cut(head, "://")
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" {
		d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s must start with https:// or http://", r.whose(key))
		if !strings.ContainsAny(head, ":/"+variableMark) && strings.Contains(head, ".") {
			report.Fix(d, "write https://", report.NewQuotation(p.Value, t.Written).At(0, 0), "https://")
		}
		return
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		if !strings.Contains(host[:i], variableMark) {
			r.Diags.Warnf(p.Value.Span(), diag.CodeLiteralSecret, "%s holds a name or a password; take them from the environment: ${NAME}", r.whose(key)).MarkSecret()
		}
		host = host[i+1:]
	}
	if problem := urlHostProblem(host); problem != "" {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s %s", r.whose(key), problem)
		return
	}
	r.secretInQuery(p, t)
	if r.entry.Builtin == nil && !strings.Contains(host, variableMark) {
		r.closedURLHost(p, t, scheme, host)
	}
	secret := t.Template.Has(template.Environment) || slices.ContainsFunc(headers, func(v Variable) bool {
		return v.Value.Template.Has(template.Environment) || IsSecretName(v.Name) && !v.Value.IsZero()
	})
	if scheme == "http" && secret && !IsThisMachine(host) && !strings.Contains(host, variableMark) {
		d := r.Diags.Warnf(report.NewQuotation(p.Value, t.Written).At(0, len("http://")), diag.CodeInsecureURL,
			"a secret goes to %s over http://, where everybody on the way can read it", report.Quote(host))
		report.Fix(d, "write https://", d.Span, "https://")
	}
}

// urlHead returns the scheme and the host of an address, as far as it knows them,
// and reports an argument in them: the model would choose who is asked.
func (r *entryReader) urlHead(t Text) (text string, fixed bool) {
	const longest = 1000
	head, _ := t.Template.CutHost()
	if i := slices.IndexFunc(head, func(p template.Part) bool { return p.Kind == template.Argument }); i >= 0 {
		r.Diags.Errorf(t.spans[i], diag.CodeInvalidTemplate,
			"an argument cannot be part of the scheme, host or port, or the model would choose who is asked")
		return "", false
	}
	text = head.Expand(func(string) string { return variableMark })
	if len(text) > longest {
		r.Diags.Errorf(t.spans[0], diag.CodeInvalidEntry, "%s has a host of more than %d characters", r.whose("url"), longest)
		return "", false
	}
	return text, true
}

// urlHostProblem says why a host with its port can be none, "" when it can.
func urlHostProblem(host string) string {
	name, port := splitURLPort(host)
	if n, err := strconv.Atoi(port); len(name) < len(host) && (err != nil || n < 1 || n > 65535) && !strings.Contains(port, variableMark) {
		return fmt.Sprintf("has the port %s, which is not from 1 to 65535", report.Quote(port))
	}
	switch {
	case name == "":
		return "names no host"
	case strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]"):
	case strings.ContainsAny(name, "[]{}<>\"\\^`|*:"):
		return fmt.Sprintf("has the host %s, which is not a host", report.Quote(name))
	}
	return ""
}

// closedURLHost warns of a host to which tools do not connect: at another port than
// 80 and 443, or in the private network as far as its name says so.
func (r *entryReader) closedURLHost(p *ast.Property, t Text, scheme, host string) {
	name, port := splitURLPort(host)
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	usual := port == "80" || port == "443"
	allowed := func(h string) bool {
		return strings.EqualFold(h, name+":"+port) || usual && strings.EqualFold(h, name)
	}
	if usual && !IsThisMachine(host) && !isPrivateHost(strings.ToLower(name)) || slices.ContainsFunc(r.allowed, allowed) {
		return
	}
	why := "is not public"
	if !usual {
		why = "has another port than 80 and 443"
	}
	at := strings.Index(t.Written, host)
	d := r.Diags.Warnf(report.NewQuotation(p.Value, t.Written).At(at, at+len(host)), diag.CodeClosedHost,
		"gramc does not connect to %s, which %s; allow it: {allowHosts: [%q]}", report.Clip(host), why, report.Clip(host))
	if !r.has("allowHosts") {
		report.AddProperty(d, r.pattern.Subject, fmt.Sprintf("allowHosts: [%q]", host))
	}
}

// splitURLPort cuts the port off a host, "" when there is none.
func splitURLPort(host string) (name, port string) {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i], host[i+1:]
	}
	return host, ""
}

// isPrivateHost reports whether a name without port is an address that is not public.
func isPrivateHost(name string) bool {
	a, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil && (!a.IsGlobalUnicast() || a.IsPrivate())
}

// IsThisMachine reports whether the host of a URL, with or without a port, is certainly
// this machine. Names below localhost are not: the system decides where they lead.
func IsThisMachine(host string) bool {
	name, _ := splitURLPort(strings.ToLower(host))
	a, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return name == "localhost" || err == nil && a.IsLoopback()
}
