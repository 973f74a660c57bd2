// The grammar, tokenized as VS Code does it.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const root = path.join(__dirname, '..');

// Stand-ins for the grammars of embedded languages, which never end what they
// start: nothing of them may leak into the gram around them.
function embedded(scopeName) {
  const patterns = [{ name: 'leak.' + scopeName, begin: '["{(<#]', end: '(?!)', patterns: [] }];
  return { scopeName, patterns, repository: { inline: { patterns } } };
}

// real returns a grammar that VS Code has, and nothing for what these include
// besides.
function real(scopeName) {
  const names = { 'source.json': 'json', 'text.html.markdown': 'markdown' };
  return names[scopeName] && require(`tm-grammars/grammars/${names[scopeName]}.json`);
}

// load reads the grammar, with those of embedded languages.
async function load(others = embedded) {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scopeName) => {
      if (scopeName !== 'source.gram') {
        return others(scopeName);
      }
      const file = path.join(root, 'syntaxes', 'gram.tmLanguage.json');
      return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
  });
  return registry.loadGrammar('source.gram');
}

// tokenize returns the lines of a text, each with its tokens: start, end and
// scopes, without source.gram.
function tokenize(grammar, text) {
  let state = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const ended = line.replace(/\r$/, '');
    const { tokens, ruleStack } = grammar.tokenizeLine(ended, state);
    state = ruleStack;
    return {
      text: line,
      tokens: tokens.map((t) => ({ start: t.startIndex, end: Math.min(t.endIndex, ended.length), scopes: t.scopes.slice(1) })),
    };
  });
}

module.exports = { load, real, tokenize, root };
