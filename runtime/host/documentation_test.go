package host_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/internal/tools/web"
)

// The built-ins of package library declare what the built-ins take.
func TestDocumentedBuiltins(t *testing.T) {
	for _, b := range library.Builtins() {
		documented := b.Signature != nil
		var declared json.RawMessage
		if documented {
			declared = b.Signature.InputSchema()
		}
		real, known := builtin.Input(b.Name)
		if !known {
			real, known = web.Input(b.Name)
		}
		if documented != known {
			t.Errorf("%s: documented is %v, known %v", b.Name, documented, known)
			continue
		}
		var x, y any
		if known && (json.Unmarshal(declared, &x) != nil || json.Unmarshal(real, &y) != nil || !reflect.DeepEqual(x, y)) {
			t.Errorf("%s takes %s, documented is %s", b.Name, real, declared)
		}
	}
}
