package diag

// A Code names a kind of diagnostic. It is stable, so that tools and people can
// search for it. The folder catalogue explains each.
type Code string

// Codes of the language front, reported by package grammar.
const (
	CodeSyntax        Code = "syntax"          // the text is not gram
	CodeNotGram       Code = "not-gram"        // a file of another language
	CodeTooDeep       Code = "too-deep"        // brackets nested deeper than 1,000
	CodeTooLarge      Code = "too-large"       // a file over 16 MiB
	CodeNotUTF8       Code = "not-utf8"        // bytes that are not UTF-8
	CodeTooManyErrors Code = "too-many-errors" // the last entry of a cut list: "and N more"
)

// Codes of any gram file, agents or not, reported by package compile.
const (
	CodeDuplicateKey Code = "duplicate-key"       // one key twice in a record
	CodeNotPortable  Code = "not-portable"        // accepted here, refused by tree-sitter-gram
	CodeInvisible    Code = "invisible-character" // an invisible character

	CodeOddNumber           Code = "odd-number"           // a number that does not mean what it seems to
	CodeOddLayout           Code = "odd-layout"           // unexpected whitespace, line break or comment
	CodeDuplicateLabel      Code = "duplicate-label"      // one label twice on a pattern
	CodeDuplicateAnnotation Code = "duplicate-annotation" // one key twice before a pattern
	CodeDuplicateDefinition Code = "duplicate-definition" // one name, two definitions
	CodeSelfReference       Code = "self-reference"       // a pattern that is an element of itself
)

// Codes of agents.
const (
	CodeNoAgent            Code = "no-agent"            // the file has no agent
	CodeMultipleAgents     Code = "multiple-agents"     // several agents where one must be chosen
	CodeUnknownAgent       Code = "unknown-agent"       // no agent of the requested name
	CodeMissingAgentLabel  Code = "missing-agent-label" // looks like an agent, does not have the label Agent
	CodeMissingAgentName   Code = "missing-agent-name"  // an agent without an identifier
	CodeConflictingName    Code = "conflicting-name"    // identifier and name property differ
	CodeMissingInstruction Code = "missing-instruction"
	CodeEmptyInstruction   Code = "empty-instruction"
	CodeInvalidInstruction Code = "invalid-instruction" // not text
	CodeInvalidDescription Code = "invalid-description" // not text
	CodeMissingModel       Code = "missing-model"
	CodeInvalidModel       Code = "invalid-model"    // not text, empty, or of no known provider
	CodeNoProvider         Code = "no-provider"      // a model without a provider that is taken as one of OpenAI for want of another
	CodeUnknownModel       Code = "unknown-model"    // a model that is misspelt
	CodeForeignModel       Code = "foreign-model"    // a model of another provider
	CodeDeprecatedModel    Code = "deprecated-model" // a model that its provider ends
	CodeModelLimit         Code = "model-limit"      // more tools or text than a model takes
	CodeModelRefuses       Code = "model-refuses"    // a property that a model does not take
	CodeInvalidBudget      Code = "invalid-budget"   // a budget that cannot be kept, or is never used up
	CodeInvalidProvider    Code = "invalid-provider" // a provider of models that cannot be used
	CodeDuplicateAgent     Code = "duplicate-agent"  // two agents of one name
	CodeUnknownProperty    Code = "unknown-property" // a property without a meaning there
)

// Codes of tools.
const (
	CodeMissingToolLabel       Code = "missing-tool-label" // an element of an agent that is not a tool
	CodeMissingToolName        Code = "missing-tool-name"
	CodeInvalidToolName        Code = "invalid-tool-name" // too long, or with invisible characters
	CodeMissingToolDescription Code = "missing-tool-description"
	CodeEmptyToolDescription   Code = "empty-tool-description"
	CodeMissingSignature       Code = "missing-signature"
	CodeMultipleSignatures     Code = "multiple-signatures"
	CodeDuplicateTool          Code = "duplicate-tool"
	CodeUndefinedReference     Code = "undefined-reference"
	CodeVocabulary             Code = "vocabulary" // one parameter name, two meanings
)

// Codes of type signatures.
const (
	CodeEmptySignature       Code = "empty-signature"
	CodeTrailingInput        Code = "trailing-input" // more than one signature in a text
	CodeInvalidChain         Code = "invalid-chain"
	CodeMissingType          Code = "missing-type"
	CodeMultipleTypes        Code = "multiple-types"
	CodeUnknownType          Code = "unknown-type"
	CodeHaskellType          Code = "haskell-type" // IO Text and other applications
	CodeInvalidType          Code = "invalid-type" // a type that is not allowed there, such as an array of Maybe
	CodeMissingReturnType    Code = "missing-return-type"
	CodeMissingParameterName Code = "missing-parameter-name"
	CodeDuplicateParameter   Code = "duplicate-parameter"
	CodeDuplicateField       Code = "duplicate-field"
	CodeDefaultTypeMismatch  Code = "default-type-mismatch"
	CodeMalformedFields      Code = "malformed-fields"
	CodeInvalidConstraint    Code = "invalid-constraint" // a property of a parameter with an invalid value
	CodeUnknownFormat        Code = "unknown-format"     // the format of a text, probably misspelt
)

// Codes of named types.
const (
	CodeMissingTypeName Code = "missing-type-name"
	CodeInvalidTypeName Code = "invalid-type-name" // the name of a built-in type, or a lower-case name
	CodeDuplicateType   Code = "duplicate-type"
	CodeInfiniteType    Code = "infinite-type" // a type that has no finite value
	CodeUnusedType      Code = "unused-type"
)

// Codes of schemas and names that providers limit.
const (
	CodeTargetRefuses     Code = "target-refuses"      // the API of a provider does not accept it
	CodeTargetDrops       Code = "target-drops"        // the API of a provider receives less than the file declares
	CodeToolNameCollision Code = "tool-name-collision" // two tools have one name for a provider
)

// Codes of imports.
const (
	CodeInvalidImport  Code = "invalid-import"   // not the path of a file of the project
	CodeImportNotFound Code = "import-not-found" // the imported file cannot be read
)

// Codes of libraries, which implement tools.
const (
	CodeNoLibrary             Code = "no-library"      // the file has no library
	CodeMisplacedEntry        Code = "misplaced-entry" // an entry outside of a library, or a nested library
	CodeUnknownEntry          Code = "unknown-entry"   // an element of a library that is not an entry
	CodeMissingEntryName      Code = "missing-entry-name"
	CodeDuplicateEntry        Code = "duplicate-entry"
	CodeMissingEntryProperty  Code = "missing-entry-property" // a required property is missing
	CodeInvalidEntry          Code = "invalid-entry"          // a property with an invalid value
	CodeInvalidRule           Code = "invalid-rule"           // an invalid rule of approval
	CodeUnknownBuiltin        Code = "unknown-builtin"        // no built-in tool of that name
	CodeInvalidTemplate       Code = "invalid-template"       // braces without an argument, or with one where it is not allowed
	CodeUnknownVariable       Code = "unknown-variable"       // a template or a rule names something that is not a parameter
	CodeInvalidSecret         Code = "invalid-secret"         // ${ without a name or a }
	CodePlainVariable         Code = "plain-variable"         // looks like an environment variable but is text
	CodeLiteralSecret         Code = "literal-secret"         // a secret in a file
	CodeUndecidedSecret       Code = "undecided-secret"       // a variable that may be a secret
	CodeInsecureURL           Code = "insecure-url"           // a secret is sent over http://
	CodeClosedHost            Code = "closed-host"            // gramc does not connect to the host of a url
	CodeMissingImplementation Code = "missing-implementation" // no library has the tool
	CodeContractMismatch      Code = "contract-mismatch"      // agent and library declare a tool differently
	CodeMissingEnvironment    Code = "missing-environment"    // a program, a variable or a folder that a library names
	CodeShadowedTool          Code = "shadowed-tool"          // a later library replaces a tool, possibly by accident
	CodeDataLeak              Code = "data-leak"              // tools that together can leak private data
)

// Codes of tests of agents.
const (
	CodeInvalidTest  Code = "invalid-test"  // a test or a step of it that says nothing, or something else than it may
	CodeEmptyTest    Code = "empty-test"    // a test that expects nothing
	CodeTestMismatch Code = "test-mismatch" // a step that does not fit the agent: no such tool, parameter, value or part
)

// Codes of what is valid but probably unintended.
const (
	CodeMissingTool        Code = "missing-tool"        // an instruction mentions a tool that the agent does not have
	CodeUnusedTool         Code = "unused-tool"         // no agent of the file has the tool
	CodeUnusedImport       Code = "unused-import"       // nothing of the file is used
	CodeMissingDescription Code = "missing-description" // a parameter without a description among others that have one
	CodeUntyped            Code = "untyped"             // any object, any list
	CodeDeprecated         Code = "deprecated"          // a deprecated tool or type is used
)

// Codes of definitions that become gram, reported by package importer.
const (
	CodeNotJSON         Code = "not-json"         // the text is neither JSON nor, where allowed, YAML
	CodeNoDefinition    Code = "no-definition"    // nothing in the text defines a tool
	CodeImportLost      Code = "import-lost"      // something that contradicts itself
	CodeImportRewritten Code = "import-rewritten" // expressed in another way, with the same meaning
	CodeImportAssumed   Code = "import-assumed"   // something that a definition lacks and gram requires
)
