package diag

// A Code names a kind of diagnostic. It is stable: tools and people may look
// for it.
type Code string

// Codes of the language front, reported by package grammar.
const (
	CodeSyntax        Code = "syntax"          // the text is not gram
	CodeTooDeep       Code = "too-deep"        // brackets nested deeper than 1,000
	CodeTooLarge      Code = "too-large"       // a file over 16 MiB
	CodeNotUTF8       Code = "not-utf8"        // bytes that are not UTF-8
	CodeTooManyErrors Code = "too-many-errors" // the last entry of a cut list: "and N more"
)

// Codes of any gram file, agents or not, reported by package compile.
const (
	CodeDuplicateKey Code = "duplicate-key"       // one key twice in a record
	CodeNotPortable  Code = "not-portable"        // accepted here, refused by tree-sitter-gram
	CodeInvisible    Code = "invisible-character" // a text does not read as it looks

	CodeOddNumber           Code = "odd-number"           // a number that is read otherwise than it looks
	CodeOddLayout           Code = "odd-layout"           // blanks, line ends or comments where nobody expects them
	CodeDuplicateLabel      Code = "duplicate-label"      // one label twice on a pattern
	CodeDuplicateAnnotation Code = "duplicate-annotation" // one key twice before a pattern
	CodeDuplicateDefinition Code = "duplicate-definition" // one name, two definitions
	CodeSelfReference       Code = "self-reference"       // a pattern that is an element of itself
)

// Codes of agents.
const (
	CodeNoAgent            Code = "no-agent"            // nothing in the file is an agent
	CodeMultipleAgents     Code = "multiple-agents"     // several agents where one must be chosen
	CodeUnknownAgent       Code = "unknown-agent"       // no agent of the name asked for
	CodeMissingAgentLabel  Code = "missing-agent-label" // looks like an agent, is not labelled Agent
	CodeMissingAgentName   Code = "missing-agent-name"  // an agent without identifier
	CodeConflictingName    Code = "conflicting-name"    // identifier and name property differ
	CodeMissingInstruction Code = "missing-instruction"
	CodeEmptyInstruction   Code = "empty-instruction"
	CodeInvalidInstruction Code = "invalid-instruction" // not text
	CodeInvalidDescription Code = "invalid-description" // not text
	CodeMissingModel       Code = "missing-model"
	CodeInvalidModel       Code = "invalid-model"    // not text, empty, or of no known provider
	CodeNoProvider         Code = "no-provider"      // a model without provider, taken as one of OpenAI
	CodeDuplicateAgent     Code = "duplicate-agent"  // two agents of one name
	CodeUnknownProperty    Code = "unknown-property" // a property that means nothing there
)

// Codes of tools.
const (
	CodeMissingToolLabel       Code = "missing-tool-label" // an element of an agent that is no tool
	CodeMissingToolName        Code = "missing-tool-name"
	CodeInvalidToolName        Code = "invalid-tool-name" // too long, or with characters that nobody sees
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
	CodeInvalidType          Code = "invalid-type" // a type that cannot stand where it does, such as an array of Maybe
	CodeMissingReturnType    Code = "missing-return-type"
	CodeMissingParameterName Code = "missing-parameter-name"
	CodeDuplicateParameter   Code = "duplicate-parameter"
	CodeDuplicateField       Code = "duplicate-field"
	CodeDefaultTypeMismatch  Code = "default-type-mismatch"
	CodeMalformedFields      Code = "malformed-fields"
	CodeInvalidConstraint    Code = "invalid-constraint" // a property of a parameter with an impossible value
	CodeUnknownFormat        Code = "unknown-format"     // the format of a text, probably misspelt
)

// Codes of named types.
const (
	CodeMissingTypeName Code = "missing-type-name"
	CodeInvalidTypeName Code = "invalid-type-name" // the name of a type of the language, or one in lower case
	CodeDuplicateType   Code = "duplicate-type"
	CodeInfiniteType    Code = "infinite-type" // a type that has no finite value
	CodeUnusedType      Code = "unused-type"
)

// Codes of what providers take.
const (
	CodeTargetRefuses     Code = "target-refuses"      // the API of a provider does not take it
	CodeTargetDrops       Code = "target-drops"        // the API of a provider gets less than the file says
	CodeToolNameCollision Code = "tool-name-collision" // a provider knows two tools by one name
)

// Codes of imports.
const (
	CodeInvalidImport  Code = "invalid-import"   // no path of a file of the project
	CodeImportNotFound Code = "import-not-found" // the imported file cannot be read
)

// Codes of libraries, which say what does the work of tools.
const (
	CodeNoLibrary             Code = "no-library"      // nothing in the file is a library
	CodeMisplacedEntry        Code = "misplaced-entry" // an entry outside of a library, or a library inside of something
	CodeUnknownEntry          Code = "unknown-entry"   // an element of a library that is no entry
	CodeMissingEntryName      Code = "missing-entry-name"
	CodeDuplicateEntry        Code = "duplicate-entry"
	CodeMissingEntryProperty  Code = "missing-entry-property" // nothing says what does the work
	CodeInvalidEntry          Code = "invalid-entry"          // a property with an impossible value
	CodeInvalidRule           Code = "invalid-rule"           // a rule of approval that cannot work
	CodeUnknownBuiltin        Code = "unknown-builtin"        // no built-in tool of that name
	CodeInvalidTemplate       Code = "invalid-template"       // braces that hold no argument, or one where none may stand
	CodeUnknownVariable       Code = "unknown-variable"       // a template or a rule names what is no parameter
	CodeInvalidSecret         Code = "invalid-secret"         // ${ without a name or a }
	CodePlainVariable         Code = "plain-variable"         // looks like an environment variable and is text
	CodeLiteralSecret         Code = "literal-secret"         // a secret in the text of a file
	CodeInsecureURL           Code = "insecure-url"           // a secret goes over http://
	CodeClosedHost            Code = "closed-host"            // gramc does not connect to the host of a url
	CodeMissingImplementation Code = "missing-implementation" // no library has the tool
	CodeContractMismatch      Code = "contract-mismatch"      // agent and library differ in what a tool is
	CodeShadowedTool          Code = "shadowed-tool"          // a later library replaces a tool, maybe by accident
	CodeDataLeak              Code = "data-leak"              // tools that can be made to give private data away
)

// Codes of what is not wrong but probably not meant.
const (
	CodeMissingTool        Code = "missing-tool"        // an instruction speaks of a tool that the agent does not have
	CodeUnusedTool         Code = "unused-tool"         // no agent of the file has it
	CodeUnusedImport       Code = "unused-import"       // nothing of the file is used
	CodeMissingDescription Code = "missing-description" // a parameter without one among others that have one
	CodeUntyped            Code = "untyped"             // any object, any list
	CodeDeprecated         Code = "deprecated"          // something is used whose author says that it should not be
)

// Codes of definitions that become gram, reported by package importer.
const (
	CodeNotJSON         Code = "not-json"         // the text is not JSON, nor YAML where that may be
	CodeNoDefinition    Code = "no-definition"    // nothing in the text defines a tool
	CodeImportLost      Code = "import-lost"      // something that gram cannot say
	CodeImportRewritten Code = "import-rewritten" // said in another way, with the same meaning
	CodeImportAssumed   Code = "import-assumed"   // what a definition leaves out and gram needs
)
