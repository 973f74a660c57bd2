package builtin

import (
	"context"
	"fmt"
	"time"
	_ "time/tzdata" // for systems without time zones of their own

	"github.com/gram-lang/gramc/internal/excerpt"
)

var currentTime = builtinDefinition{
	description: "Returns the current date and time, in UTC or in a time zone",
	input: `{
  "type": "object",
  "properties": {
    "timezone": { "type": "string", "description": "Time zone like 'Europe/Berlin'; without it, UTC" }
  },
  "required": []
}`,
	output: `{
  "type": "object",
  "properties": {
    "time": { "type": "string", "format": "date-time" },
    "timezone": { "type": "string" },
    "weekday": { "type": "string" },
    "unix": { "type": "integer" }
  }
}`,
	example: `{"time":"2000-01-01T00:00:00Z","timezone":"UTC","weekday":"Saturday","unix":946684800}`,
	do:      clockTimeIn,
}

func clockTimeIn(_ context.Context, args arguments) (any, error) {
	zone, err := clockLocation(args.text("timezone"))
	if err != nil {
		return nil, err
	}
	now := time.Now().In(zone)
	return struct {
		Time     string `json:"time"`
		Timezone string `json:"timezone"`
		Weekday  string `json:"weekday"`
		Unix     int64  `json:"unix"`
	}{now.Format(time.RFC3339), zone.String(), now.Weekday().String(), now.Unix()}, nil
}

// clockLocation returns the time zone of that name. The name "Local" is not one: it
// would mean another zone on each machine.
func clockLocation(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fmt.Errorf("unknown time zone %q; use a name such as Europe/Berlin, America/New_York or UTC", excerpt.Short(name, 60))
	}
	return zone, nil
}
