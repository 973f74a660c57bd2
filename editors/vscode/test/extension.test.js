// What the extension does, with a stand-in for VS Code.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { fake, withModules } = require('../scripts/fakevscode');
const manifest = require('../package.json');

const root = path.join(__dirname, '..');
const uri = 'file:///work/an%20agent.gram';

// activated returns what a freshly loaded extension says to VS Code.
async function activated(options) {
  const { vscode, client, said } = fake(options);
  const extension = withModules({ vscode, 'vscode-languageclient/node': client }, () => {
    Object.keys(require.cache).filter((f) => f.startsWith(path.join(root, 'src'))).forEach((f) => delete require.cache[f]);
    return require('../src/extension');
  });
  await extension.activate({ subscriptions: [] });
  return { ...said, extension };
}

test('every command of the manifest is there', async () => {
  const { commands } = await activated();
  assert.deepStrictEqual([...commands.keys()].sort(), manifest.contributes.commands.map((c) => c.command).sort());
});

test('the language server starts, restarts and stops', async () => {
  const { clients, commands, extension } = await activated({ settings: { 'server.path': '/opt/gram-lsp' } });
  assert.deepStrictEqual(clients[0].server, { command: '/opt/gram-lsp', args: [] });
  assert.ok(clients[0].running);
  await commands.get('gram.restart')();
  assert.deepStrictEqual(clients.map((c) => c.running), [false, true]);
  await extension.deactivate();
  assert.ok(!clients[1].running);
});

test('nothing starts in a folder that is not trusted', async () => {
  const { clients } = await activated({ trusted: false });
  assert.strictEqual(clients.length, 0);
});

test('a lens runs an agent offline', async () => {
  const { commands, tasks } = await activated({ answers: { message: '-h; rm -rf "$HOME"' } });
  await commands.get('gramc.run')({ uri, agent: 'clerk', offline: true });
  const { process, args, options } = tasks[0].execution;
  assert.strictEqual(process, 'gramc');
  assert.deepStrictEqual(args, ['run', '/work/an agent.gram', '--agent', 'clerk', '--offline', '--', '-h; rm -rf "$HOME"']);
  assert.strictEqual(options.cwd, '/work');
});

test('nothing runs without a message', async () => {
  const { commands, tasks } = await activated();
  await commands.get('gramc.run')({ uri, agent: 'clerk' });
  assert.strictEqual(tasks.length, 0);
});

test('a lens binds an agent to a library, and a library to an agent', async () => {
  const { commands, tasks } = await activated({ answers: { file: '/work/other.gram' } });
  await commands.get('gramc.bind')({ uri, agent: 'clerk' });
  await commands.get('gramc.bind')({ uri, library: 'local' });
  assert.deepStrictEqual(tasks.map((t) => t.execution.args), [
    ['bind', '/work/an agent.gram', '--agent', 'clerk', '--library', '/work/other.gram'],
    ['bind', '/work/other.gram', '--library', '/work/an agent.gram'],
  ]);
});

test('without a file there is a word of why', async () => {
  const { commands, messages, tasks } = await activated();
  await commands.get('gramc.run')();
  assert.strictEqual(tasks.length, 0);
  assert.match(messages[0], /save the file/);
});

test('a lens shows a schema, or what is wrong', async (t) => {
  if (!process.env.GRAMC) {
    t.skip('GRAMC names no gramc');
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gram '));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'clerk.gram');
  fs.writeFileSync(file, '[find:Tool {description: "Finds"} | (city::Text)==>(::Text)]\n');
  const { commands, previews } = await activated({ settings: { 'gramc.path': process.env.GRAMC } });
  const target = { uri: require('node:url').pathToFileURL(file).href, tool: 'find' };
  await commands.get('gramc.schema')(target);
  assert.strictEqual(JSON.parse(previews[0].text).properties.city.type, 'string');
  assert.strictEqual(previews[0].uri.path, '/find.schema.jsonc');
  await commands.get('gramc.schema')({ ...target, tool: 'lose' });
  assert.match(previews[1].text, /^\/\/ .*lose/);
});
