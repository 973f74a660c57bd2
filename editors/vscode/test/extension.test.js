// What the extension does, with a stand-in for VS Code.
'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { pathToFileURL } = require('node:url');
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
  const subscriptions = [];
  await extension.activate({ subscriptions });
  return { ...said, extension, subscriptions };
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

test('a server that does not start says why', async () => {
  for (const start of ['Launching failed.', new Error('Launching failed.')]) {
    const { messages } = await activated({ answers: { start } });
    assert.deepStrictEqual(messages, ['gram: the language server gram-lsp does not start: Launching failed.']);
  }
});

test('nothing starts in a folder that is not trusted', async () => {
  for (const where of [{ trusted: false }, { folders: [{ uri: { scheme: 'vscode-vfs' } }] }]) {
    const { clients, commands, emit, messages, panels, provider, tasks } = await activated({ ...where, answers: { message: 'Hello' } });
    await emit('configuration', { affectsConfiguration: () => true });
    for (const name of ['gramc.run', 'gramc.bind', 'gramc.test', 'gramc.schema', 'gram.showTrace', 'gram.openTrace', 'gram.restart']) {
      await commands.get(name)({ uri, agent: 'clerk' });
    }
    assert.deepStrictEqual([clients.length, tasks.length, panels.length], [0, 0, 0]);
    assert.match(messages[0], /not trusted/);
    // A preview that the last session left is asked for again.
    assert.match(provider.provideTextDocumentContent({ query: JSON.stringify({ uri }) }), /Trust this folder/);
  }
});

test('a lens runs an agent offline', async () => {
  const { commands, tasks } = await activated({ answers: { message: '-h; rm -rf "$HOME"' } });
  await commands.get('gramc.run')({ uri, agent: 'clerk', offline: true });
  const { process, args, options } = tasks[0].execution;
  assert.strictEqual(process, 'gramc');
  assert.match(args[3], /\.trace\.jsonl$/);
  args.splice(3, 1);
  assert.deepStrictEqual(args, ['run', '/work/an agent.gram', '--trace', '--agent', 'clerk', '--offline', '--', '-h; rm -rf "$HOME"']);
  assert.strictEqual(options.cwd, '/work');
});

test('a lens runs a test', async () => {
  const { commands, tasks } = await activated();
  await commands.get('gramc.test')({ uri, test: 'late (2)' });
  assert.deepStrictEqual(tasks[0].execution.args, ['test', '/work/an agent.gram', '--run', '^late \\(2\\)$']);
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

test('from the palette, what is at the cursor or above it is run', async () => {
  const lens = (line, command, agent) => ({ range: { start: { line } }, command: { command, arguments: [{ uri, agent, offline: true }] } });
  const lenses = [lens(2, 'gramc.run', 'one'), lens(2, 'gramc.bind', 'one'), lens(9, 'gramc.run', 'two'), lens(20, 'gramc.run', 'three')];
  for (const [line, want] of [[0, 'one'], [9, 'two'], [15, 'two'], [40, 'three']]) {
    const { commands, tasks } = await activated({ lenses, cursor: { uri, line }, answers: { message: 'Hello' }, settings: { 'run.offline': false } });
    await commands.get('gramc.run')();
    const { args } = tasks[0].execution;
    assert.deepStrictEqual(args.slice(4), ['--agent', want, '--', 'Hello']);
  }
});

test('without a file there is a word of why', async () => {
  const { commands, messages, tasks } = await activated();
  await commands.get('gramc.run')();
  assert.strictEqual(tasks.length, 0);
  assert.match(messages[0], /save the file/);
});

// inFolder returns a file with an agent and a tool, and the settings to use it.
function inFolder(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gram '));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'clerk.gram');
  fs.writeFileSync(file, '[find:Tool {description: "Finds"} | (city::Text)==>(::Text)]\n[clerk:Agent {instruction: "i", model: "OpenAI/m"}]\n');
  return { folder, file, target: { uri: pathToFileURL(file).href }, settings: { 'gramc.path': process.env.GRAMC } };
}

test('the trace of a run is shown when it ends, and again when asked for', async (t) => {
  if (!process.env.GRAMC) {
    t.skip('GRAMC names no gramc');
    return;
  }
  const { file, target, settings } = inFolder(t);
  const { commands, messages, tasks, panels, emit, subscriptions } = await activated({ settings, answers: { message: 'Hello <b>' } });
  const clerk = { ...target, agent: 'clerk', offline: true };
  await commands.get('gram.showTrace')(clerk); // there is none yet: it is run
  const { process: program, args } = tasks[0].execution;
  execFileSync(program, args, { stdio: 'pipe' });
  await emit('task ended', { execution: { task: { name: 'build' } } });
  assert.strictEqual(panels.length, 0);
  await emit('task ended', { execution: { task: tasks[0] } });
  assert.strictEqual(panels.length, 1);
  // It is the page of gramc, with its policy, its schemas and its source.
  assert.strictEqual(panels[0].webview.html, execFileSync(program, ['trace', args[3], '--html', '-'], { encoding: 'utf8' }));
  assert.match(panels[0].webview.html, /<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;;/);
  assert.match(panels[0].webview.html, /<pre class=said>Hello &lt;b&gt;<\/pre>[^]*<h3>Source<\/h3>[^]*\[clerk:Agent/);
  assert.deepStrictEqual(panels[0].options, { enableScripts: false, enableFindWidget: true, localResourceRoots: [] });
  panels[0].webview.html = '';
  await commands.get('gram.showTrace')(clerk);
  assert.match(panels[0].webview.html, /Hello/);
  assert.strictEqual(tasks.length, 1);

  // A file of a trace is shown in the same place.
  panels[0].webview.html = '';
  await commands.get('gram.openTrace')({ path: args[3], fsPath: args[3] });
  assert.match(panels[0].webview.html, /Hello/);
  assert.strictEqual(panels.length, 1);
  await commands.get('gram.openTrace')({ path: file, fsPath: file });
  assert.match(messages[0], /clerk\.gram: this is no trace/);
  subscriptions.forEach((s) => s.dispose());
  assert.ok(!fs.existsSync(args[3]), 'no trace stays behind');
});

test('a lens shows a schema, or what is wrong, and it follows the file', async (t) => {
  if (!process.env.GRAMC) {
    t.skip('GRAMC names no gramc');
    return;
  }
  const { file, target: { uri: here }, settings } = inFolder(t);
  const { commands, previews, provider, emit } = await activated({ settings });
  const target = { uri: here, tool: 'find' };
  await commands.get('gramc.schema')(target);
  assert.strictEqual(JSON.parse(previews[0].text).properties.city.type, 'string');
  assert.strictEqual(previews[0].uri.path, '/find.schema.jsonc');
  await commands.get('gramc.schema')({ ...target, tool: 'lose' });
  assert.match(previews[1].text, /^\/\/ .*lose/);

  // Another program writes the file; somebody saves one; the preview is closed.
  const fired = [];
  provider.onDidChange((changed) => fired.push(changed.path));
  const both = ['/find.schema.jsonc', '/lose.schema.jsonc'];
  fs.writeFileSync(file, '[find:Tool {description: "Finds"} | (days::Int)==>(::Text)]\n');
  await emit('change **/*.gram', previews[0].uri);
  assert.deepStrictEqual(fired.splice(0), both);
  assert.ok(JSON.parse(await provider.provideTextDocumentContent(previews[0].uri)).properties.days);
  await emit('save', { languageId: 'gram' });
  assert.deepStrictEqual(fired.splice(0), both);
  await emit('save', { languageId: 'json' });
  await emit('close', previews[1]);
  await emit('delete **/*.gram', previews[0].uri);
  assert.deepStrictEqual(fired.splice(0), both.slice(0, 1));
});
