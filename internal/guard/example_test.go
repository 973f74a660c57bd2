package guard_test

import (
	"fmt"
	"net/http"

	"github.com/gram-lang/gramc/internal/guard"
)

func Example() {
	client, err := guard.Client(guard.Options{})
	if err != nil {
		panic(err)
	}
	req, err := http.NewRequest(http.MethodGet, "http://127.0.0.1/admin", nil)
	if err != nil {
		panic(err)
	}
	_, err = guard.Do(client, req)
	fmt.Println(err)
	// Output: web address 127.0.0.1 is private; the library can allow it with allowHosts: ["127.0.0.1:80"]
}
