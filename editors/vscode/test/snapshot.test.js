// What each word of the examples is coloured as. UPDATE=1 writes it anew.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { test, before } = require('node:test');
const { load, real, tokenize, root } = require('../scripts/grammar');

const project = path.join(root, '..', '..');
const shared = process.env.GRAMC_SHARED || path.join(project, '..', 'shared');

// The folders, and whether a snapshot shows their text: that of others stays
// where it is.
const sources = [
  { name: 'examples', folder: path.join(project, 'examples'), own: true },
  { name: 'golden', folder: path.join(project, 'testdata', 'golden'), own: true },
  { name: 'corpus', folder: path.join(shared, 'corpus', 'examples'), own: false },
];

function filesOf(folder) {
  return fs.readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.gram'))
    .sort();
}

// shown returns the scopes that give a token its colour.
function shown(scopes) {
  return scopes
    .filter((s) => !/^meta\.(pattern|node|record|array)\.|^punctuation\./.test(s))
    .map((s) => s.replace(/\.gram$/, ''))
    .join(' ');
}

// snapshotOf writes below each line the columns of what has a colour, and its
// scopes.
function snapshotOf(grammar, text, own) {
  const out = [];
  tokenize(grammar, text).forEach((line, number) => {
    out.push(own ? `>${line.text}` : `>${number + 1}`);
    const runs = [];
    for (const { start, end, scopes } of line.tokens) {
      const last = runs.at(-1);
      if (last && last.end === start && last.scopes === shown(scopes)) {
        last.end = end;
      } else {
        runs.push({ start, end, scopes: shown(scopes) });
      }
    }
    out.push(...runs.filter((r) => r.scopes).map((r) => ` ${r.start}-${r.end} ${r.scopes}`));
  });
  return out.join('\n') + '\n';
}

let grammar;
before(async () => { grammar = await load(); });

for (const { name, folder, own } of sources) {
  test(`the colours of ${name}`, (t) => {
    if (!fs.existsSync(folder)) {
      t.skip(`${folder} is not here`);
      return;
    }
    const files = filesOf(folder);
    let compared = 0;
    for (const file of files) {
      const got = snapshotOf(grammar, fs.readFileSync(path.join(folder, file), 'utf8'), own);
      const snapshot = path.join(__dirname, 'snapshots', name, file.replaceAll(path.sep, '_') + '.snap');
      if (process.env.UPDATE) {
        fs.mkdirSync(path.dirname(snapshot), { recursive: true });
        fs.writeFileSync(snapshot, got);
        continue;
      }
      if (!fs.existsSync(snapshot)) {
        continue; // of a new file; the next updating run takes it over
      }
      const want = fs.readFileSync(snapshot, 'utf8');
      compared++;
      assert.strictEqual(got, want, `${file} is coloured in another way; UPDATE=1 npm test takes it over`);
    }
    assert.ok(!process.env.UPDATE, 'an updating run ends as failed');
    assert.ok(compared > 8, `${compared} files were compared`);
  });
}

// Every line that an embedded language could leak into.
test('embedded languages end with their text', () => {
  const text = [
    '{a: json`{"x`, b: 1, c: md`# <x`, d: 2}',
    '[a:Agent {instruction: ```md',
    '# Title {"[(<',
    '```, temperature: 1} | (n::Int)==>(::Text)] // end',
    '{j: ```json',
    '{"open',
    '```, k: 5}',
  ].join('\n');
  const tokens = tokenize(grammar, text).flatMap((l) => l.tokens.map((t) => ({ word: l.text.slice(t.start, t.end), scopes: t.scopes })));
  for (const { word, scopes } of tokens) {
    if (['1', '2', '5', 'temperature', 'Int', '// end', 'k'].includes(word)) {
      assert.ok(!scopes.some((s) => s.startsWith('leak.') || s.startsWith('string.')), `${word}: ${scopes}`);
    }
  }
  const embedded = tokens.filter((t) => t.scopes.some((s) => s.startsWith('leak.')));
  assert.ok(embedded.length >= 4, 'embedded languages are coloured');
});

test('JSON and Markdown have the colours that VS Code gives them', async () => {
  const text = [
    '[a:Agent {instruction: ```md',
    '# Title',
    'Use **bold** and `code`.',
    '```, note: md`An *inline* text`} | (o::T {default: json`{"key": [1]}`})==>(::Text)]',
    '{j: ```json',
    '{"block":',
    '  true}',
    '```, k: 5}',
  ].join('\n');
  const lines = tokenize(await load(real), text);
  const scopesOf = (word) => lines.flatMap((l) => l.tokens.filter((t) => l.text.slice(t.start, t.end) === word).map((t) => t.scopes.at(-1)));
  const colours = Object.fromEntries(['Title', 'bold', 'code', 'inline', 'key', '1', 'block', 'true', 'k', '5'].map((word) => [word, scopesOf(word)]));
  assert.deepStrictEqual(colours, {
    Title: ['entity.name.section.markdown'],
    bold: ['markup.bold.markdown'],
    code: ['markup.inline.raw.string.markdown'],
    inline: ['markup.italic.markdown'],
    key: ['support.type.property-name.json'],
    1: ['constant.numeric.json'],
    block: ['support.type.property-name.json'],
    true: ['constant.language.json'],
    k: ['support.type.property-name.gram'],
    5: ['constant.numeric.integer.gram'],
  });
});
