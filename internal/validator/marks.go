package validator

// Marks are which members or elements of a value were evaluated, by their index.
// A nil *marks records nothing.
type marks struct {
	set []bool
	all bool
}

func (m *marks) add(i int) {
	if m == nil {
		return
	}
	for len(m.set) <= i {
		m.set = append(m.set, false)
	}
	m.set[i] = true
}

func (m *marks) addAll() {
	if m != nil {
		m.all = true
	}
}

func (m *marks) has(i int) bool { return m.all || i < len(m.set) && m.set[i] }

// merge adds the marks of a schema that the value fits.
func (m *marks) merge(other *marks) {
	if m == nil || other == nil {
		return
	}
	m.all = m.all || other.all
	for i, set := range other.set {
		if set {
			m.add(i)
		}
	}
}
