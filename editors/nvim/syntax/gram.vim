if exists('b:current_syntax')
  finish
endif

syntax match gramName '\<[A-Za-z_][0-9A-Za-z_.@-]*'
syntax match gramKey '\<[A-Za-z_][0-9A-Za-z_.@-]*\ze\s*:\%(:\)\@!\s*[^A-Z ]'
syntax match gramLabel '::\?\s*\zs[A-Za-z_][0-9A-Za-z_.@-]*`\@!' contains=gramKeyword,gramType,gramBoolean
syntax keyword gramKeyword contained Agent Library Tool Command Http Mcp Builtin Type Enum Union Allow Ask Deny
syntax keyword gramType contained Text String Int Integer Number Double Bool Boolean Any Null Array Object Map
syntax match gramBoolean '\<\%(true\|false\)\>'
syntax match gramNumber '-\?\<\d[0-9A-Za-z]*\%(\.\d[0-9A-Za-z]*\)\?'
syntax match gramOperator '<\?[-=~]\{1,2}>\?\||\|\.\{2,3}'
syntax match gramAnnotation '@@\?[A-Za-z_][0-9A-Za-z_.-]*'
syntax match gramEscape contained '\\.'
syntax region gramString start='"' skip='\\.' end='"' end='$' contains=gramEscape,@Spell
syntax region gramString start="'" skip='\\.' end="'" end='$' contains=gramEscape,@Spell
syntax region gramQuoted start='`' skip='\\.' end='`' end='$' contains=gramEscape
syntax region gramFence start='```' end='```' contains=@Spell
syntax match gramComment '//.*$' contains=@Spell

highlight default link gramAnnotation PreProc
highlight default link gramBoolean Boolean
highlight default link gramComment Comment
highlight default link gramEscape SpecialChar
highlight default link gramFence String
highlight default link gramKey Identifier
highlight default link gramKeyword Keyword
highlight default link gramLabel Type
highlight default link gramNumber Number
highlight default link gramOperator Operator
highlight default link gramQuoted String
highlight default link gramString String
highlight default link gramType Type

let b:current_syntax = 'gram'
