// Reads a JSON list of texts from standard input, and writes a list of strings
// to standard output: for each byte of each text what it is coloured as, s for
// a string, c for a comment, n for a number and . for anything else.
'use strict';
const fs = require('node:fs');
const { load, tokenize } = require('./grammar');

function classOf(scopes) {
  for (const scope of [...scopes].reverse()) {
    if (scope.startsWith('comment.')) return 'c';
    if (scope.startsWith('string.')) return 's';
    if (scope.startsWith('constant.numeric.') && !scopes.some((s) => s.startsWith('string.'))) return 'n';
  }
  return '.';
}

async function main() {
  const grammar = await load();
  const texts = JSON.parse(fs.readFileSync(0, 'utf8'));
  const all = texts.map((text) => {
    const lines = tokenize(grammar, text).map((line) => {
      let classes = '';
      for (const t of line.tokens) {
        const bytes = Buffer.byteLength(line.text.slice(t.start, t.end));
        classes += classOf(t.scopes).repeat(bytes);
      }
      return classes.padEnd(Buffer.byteLength(line.text), '.');
    });
    return lines.join('.');
  });
  process.stdout.write(JSON.stringify(all));
}

main();
