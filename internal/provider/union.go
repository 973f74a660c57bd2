package provider

// exclusive reports whether at most one of some alternatives can fit, because
// they have different types, or objects a field that tells them apart.
func (l *lowerer) exclusive(alternatives []*node) bool {
	seen := map[string]bool{}
	tags := map[string]int{}
	objects := 0
	for _, a := range alternatives {
		if ref := a.get("$ref"); ref != nil {
			a = l.resolve(ref.text())
		}
		if a == nil || a.get("type") == nil || a.get("type").kind != '"' {
			return false
		}
		kind := a.get("type").text()
		if kind != "object" {
			if seen[kind] || kind == "integer" && seen["number"] || kind == "number" && seen["integer"] {
				return false
			}
			seen[kind] = true
			continue
		}
		objects++
		l.countTags(a, seen, tags)
	}
	if objects < 2 {
		return true
	}
	for _, n := range tags {
		if n == objects {
			return true
		}
	}
	return false
}

// countTags counts in tags each required field with one value that no
// alternative before has for it.
func (l *lowerer) countTags(a *node, seen map[string]bool, tags map[string]int) {
	required := requiredOf(a)
	properties := a.get("properties")
	if properties == nil {
		return
	}
	for _, m := range properties.members {
		value := m.value.get("const")
		if value == nil || !required[m.key] {
			continue
		}
		if tag := m.key + "\x00" + string(value.raw); !seen[tag] {
			seen[tag] = true
			tags[m.key]++
		}
	}
}
