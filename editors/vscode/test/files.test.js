// The files of the extension: snippets, settings of the language, the package.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { withModules } = require('../scripts/fakevscode');
const { pack } = require('../scripts/package');
const manifest = require('../package.json');
const lock = require('../package-lock.json');

const root = path.join(__dirname, '..');
const read = (name) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));

// expanded returns the text of a snippet with what stands in its holes.
function expanded(body) {
  return [body].flat().join('\n')
    .replace(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replace(/\$\{\d+:([^{}]*)\}/g, '$1')
    .replace(/\$\d+/g, '');
}

// around puts a snippet that is part of something into it.
function around(name, text) {
  if (name.endsWith(' entry')) return `[local:Library | ${text}]`;
  if (name === 'Parameter') return `[t:Tool {description: "d"} | ${text}(::Text)]`;
  if (name === 'Text of several lines') return `{note: ${text}}`;
  return text;
}

test('snippets are gram without errors', (t) => {
  if (!process.env.GRAMC) {
    t.skip('GRAMC names no gramc');
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gram-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.writeFileSync(path.join(folder, 'types.gram'), '[T:Type | (::Text)]\n');
  for (const [name, { body }] of Object.entries(read('snippets/gram.json'))) {
    const text = around(name, expanded(body));
    assert.ok(!text.includes('$'), text);
    const file = path.join(folder, 'snippet.gram');
    fs.writeFileSync(file, text + '\n');
    try {
      execFileSync(process.env.GRAMC, ['check', file], { stdio: 'pipe' });
    } catch (error) {
      assert.fail(`${name}: ${error.stdout}${error.stderr}\n${text}`);
    }
  }
});

test('the settings of the language hold for gram', () => {
  const { wordPattern, indentationRules } = read('language-configuration.json');
  assert.deepStrictEqual('a.b-c ::Text 1.5 -2km'.match(new RegExp(wordPattern, 'g')), ['a.b-c', 'Text', '1.5', '-2km']);
  const increase = new RegExp(indentationRules.increaseIndentPattern);
  for (const [line, want] of [['[a:Agent {', true], ['} |', true], ['  tools: [ // some', true], ['[a:Agent {x: 1}]', false], ['// [', false], ['  x: "{",', false]]) {
    assert.strictEqual(increase.test(line), want, line);
  }
});

test('dependencies are pinned, and the lock names no host', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
  for (const [folder, entry] of Object.entries(lock.packages)) {
    assert.ok(folder === '' || entry.integrity, folder);
    assert.strictEqual(entry.resolved, undefined, folder);
  }
});

// The parts of a zip file, by name, are told at its end.
function namesIn(file) {
  const bytes = fs.readFileSync(file);
  const names = [];
  for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')) {
    names.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  }
  return names;
}

test('the package has all that the manifest names, and is the same each time', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gram-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const [one, two] = ['one.vsix', 'two.vsix'].map((name) => path.join(folder, name));
  const files = await pack(one);
  await pack(two);
  assert.ok(fs.readFileSync(one).equals(fs.readFileSync(two)));
  assert.deepStrictEqual(namesIn(one), ['extension.vsixmanifest', '[Content_Types].xml', ...files.map((f) => 'extension/' + f)]);
  const { languages, grammars, snippets } = manifest.contributes;
  const named = [manifest.main, languages[0].configuration, grammars[0].path, snippets[0].path].map((f) => f.replace('./', ''));
  assert.deepStrictEqual(named.filter((f) => !files.includes(f)), []);
  assert.ok(!files.some((f) => /textmate|oniguruma|yazl/.test(f)), 'nothing for development');

  // What is packed is enough to load the extension and the real client.
  const packed = path.join(folder, 'extension');
  for (const name of files) {
    fs.mkdirSync(path.dirname(path.join(packed, name)), { recursive: true });
    fs.copyFileSync(path.join(root, name), path.join(packed, name));
  }
  const anything = new Proxy({}, { get: (_, name) => name === '__esModule' || class {} });
  withModules({ vscode: anything }, () => {
    assert.strictEqual(typeof require(path.join(packed, manifest.main)).activate, 'function');
  });
});
