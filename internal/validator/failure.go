package validator

// A Failure is one way in which a value breaks a schema.
type Failure struct {
	At []string // the keys and indices that lead to the value

	// Keyword is the keyword that the value breaks, or one of the constants below.
	Keyword string

	// Found is the text of the value: of an array or object only its first byte.
	Found string

	Names  []string  // the types that are wanted, the fields that are missing or too many, or the property of a dependency
	Wanted []Literal // the values of an enum or const
	Limit  string    // the limit of a number, the pattern or the format
	Count  int       // the limit of a length or count
	Got    int       // the length or count that was found
	Equal  [2]int    // indices of equal elements

	// Causes are the failures in the parts of the value, or those of the alternatives
	// and references. A failure of oneOf without causes means that several fit.
	Causes []*Failure
}

// What a [Failure] has in place of a keyword.
const (
	Several      = ""             // its causes are several failures of the same schema
	NoValue      = "false"        // the schema allows no value
	EndlessRef   = "endless $ref" // the schema refers back to itself for the same value
	TooMuchWork  = "too much work"
	FalseMembers = "additionalProperties" // with Names: fields that the value false of additionalProperties forbids
)
