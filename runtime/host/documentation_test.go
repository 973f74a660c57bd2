package host_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/internal/tools/web"
)

// What compile says of the built-ins is what they take.
func TestDocumentedBuiltins(t *testing.T) {
	for _, b := range library.Builtins() {
		told, documented := library.BuiltinInput(b.Name)
		real, known := builtin.Input(b.Name)
		if !known {
			real, known = web.Input(b.Name)
		}
		if documented != known {
			t.Errorf("%s: documented is %v, known %v", b.Name, documented, known)
			continue
		}
		var x, y any
		if known && (json.Unmarshal(told, &x) != nil || json.Unmarshal(real, &y) != nil || !reflect.DeepEqual(x, y)) {
			t.Errorf("%s takes %s, documented is %s", b.Name, real, told)
		}
	}
}
