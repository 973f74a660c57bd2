package grammar

import "github.com/gram-lang/gramc/ast"

// subject reads name:Label {record}, of which each part may be absent.
func (c *cursor) subject() *ast.Subject {
	start := c.peek().begin()
	s := c.subjects.take(c)
	s.Identity = c.subjectIdentity()
	s.Labels = c.subjectLabels()
	if c.at(tokLeftBrace) {
		s.Record = c.record()
	}
	if s.Identity != nil || s.Labels != nil || s.Record != nil {
		s.Base = c.since(start)
	} else {
		s.Base = c.since(c.end())
	}
	return s
}

func (c *cursor) subjectIdentity() *ast.Name {
	t := c.peek()
	switch {
	case names.has(t.kind):
		return c.name()
	case t.kind == tokDouble || t.kind == tokSingle:
		written := fixAsNameToken(t)
		written.safe = c.pos < 3 || c.tokens[c.pos-3].kind != tokAts // else it is the value of an annotation
		c.note(t.begin(), t.end(), "a name in quotes: names are quoted with backticks").offerFix(written)
		n := c.name()
		n.Kind = ast.NameQuoted
		return n
	}
	return nil
}

func (c *cursor) subjectLabels() []*ast.Label {
	mark := c.labelLists.mark()
	for c.in(colons) {
		separator := c.next()
		if !c.in(1<<tokSymbol | 1<<tokBacktick) {
			c.badSubjectLabel(separator)
			break
		}
		label := c.labels.take(c)
		label.Separator, label.Name = separator.text, c.name()
		label.Base = c.since(separator.begin())
		c.labelLists.add(label)
	}
	return c.labelLists.list(mark)
}

// badSubjectLabel takes what stands after a colon and is not a label, if it was meant as
// one.
func (c *cursor) badSubjectLabel(separator token) {
	t := c.peek()
	at := t.begin()
	expected := "a label after " + separator.text
	if c.in(patterns | 1<<tokLeftBrace) {
		expected += "; a type that is more than a name stands in backticks: ::`[Text]`"
	}
	p := c.unexpected(expected)
	switch {
	case t.kind == tokDouble || t.kind == tokSingle:
		p.offerFix(fixAsNameToken(t))
		if separator.kind == tokColons {
			p.fixWith(func(text string) []fix { return foreignTypeFixes(text, at) })
			for c.in(1<<tokDouble | 1<<tokSingle | 1<<tokBar) {
				c.next()
			}
			return
		}
		c.next()
	case c.in(patterns|1<<tokLeftBrace) && !c.restart():
		open := 0 // the parenthesis in which it is the type of a parameter
		if c.pos > 2 && c.tokens[c.pos-3].kind == tokLeftParen {
			open = c.tokens[c.pos-3].begin()
		}
		p.fixWith(func(text string) []fix {
			if fixes := foreignTypeFixes(text, at); len(fixes) > 0 || text[open] != '(' {
				return fixes
			}
			return foreignSignatureFixes(text, open)
		})
		c.pathGroup()
	}
}
