// The gram extension: the language client, and the commands of lenses.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { runArguments, bindArguments, testArguments } = require('./gramc');
const { SchemaPreview } = require('./schema');
const { TraceView } = require('./traceview');

let client; // the language client, once programs can be started
let traces; // the traces of runs
const runs = new Map(); // the targets of runs, by the name of their task

const setting = (name) => vscode.workspace.getConfiguration('gram').get(name);
const gramc = () => setting('gramc.path');

const noProgram = 'gram: no program is started in a folder that is not trusted, or not on this machine.';

// mayRun reports whether programs can be started: in local folders that the user
// trusts.
function mayRun() {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return vscode.workspace.isTrusted && (folders.length === 0 || folders.some((f) => f.uri.scheme === 'file'));
}

async function start() {
  if (!mayRun()) {
    return;
  }
  const command = setting('server.path');
  client = new LanguageClient('gram', 'gram', { command, args: [] }, {
    documentSelector: [{ scheme: 'file', language: 'gram' }, { scheme: 'untitled', language: 'gram' }],
    diagnosticCollectionName: 'gram',
  });
  try {
    await client.start();
  } catch (error) {
    const open = 'Open Settings';
    const chosen = await vscode.window.showErrorMessage(`gram: the language server ${command} does not start: ${error.message ?? error}`, open);
    if (chosen === open) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'gram.server.path');
    }
  }
}

async function stop() {
  const last = client;
  client = undefined;
  if (last?.needsStop()) {
    await last.stop();
  }
}

// targetHere returns the target of the nearest lens at or above the cursor that
// has a command, or the whole file.
async function targetHere(command) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return {};
  }
  const { uri } = editor.document;
  const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, Number.MAX_SAFE_INTEGER) ?? [];
  const known = lenses.filter((l) => l.command?.command === command && l.command.arguments?.[0]?.uri);
  const lens = known.findLast((l) => l.range.start.line <= editor.selection.active.line) ?? known[0];
  return { ...lens?.command.arguments[0], uri: uri.toString(), offline: setting('run.offline') };
}

// targetOf returns the target of a lens, or the target at the cursor, after saving
// it: gramc reads files. It is undefined if gramc cannot be run.
async function targetOf(command, argument) {
  if (!mayRun()) {
    vscode.window.showInformationMessage(noProgram);
    return undefined;
  }
  const target = argument?.uri ? argument : await targetHere(command);
  const uri = target.uri && vscode.Uri.parse(target.uri);
  if (uri?.scheme !== 'file') {
    vscode.window.showInformationMessage('gram: save the file first.');
    return undefined;
  }
  await vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString())?.save();
  return { ...target, file: uri.fsPath };
}

// execute runs gramc in a terminal, without a shell.
function execute(name, target, args) {
  const uri = vscode.Uri.parse(target.uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const task = new vscode.Task(
    { type: 'gramc', name }, folder ?? vscode.TaskScope.Workspace, name, 'gramc',
    new vscode.ProcessExecution(gramc(), args, { cwd: folder?.uri.fsPath ?? vscode.Uri.joinPath(uri, '..').fsPath }),
  );
  task.presentationOptions = { clear: true, focus: false };
  return vscode.tasks.executeTask(task);
}

// run sends a message to an agent; ended shows the trace.
async function run(target) {
  const message = await vscode.window.showInputBox({ prompt: `What do you say to ${target.agent ?? 'the agent'}?`, value: 'Hello' });
  if (message) {
    const name = `run ${target.agent ?? target.file}`;
    runs.set(name, target);
    await execute(name, target, runArguments(target.file, target, message, traces.fileFor(target)));
  }
}

async function ended({ execution: { task } }) {
  if (runs.has(task.name)) {
    await showLast(runs.get(task.name));
  }
}

// showLast shows the trace of the last run of a target, and reports whether
// there is one.
async function showLast(target) {
  const uri = traces.last(target);
  if (uri) {
    await traces.show(uri);
  }
  return uri !== undefined;
}

async function showTrace(target) {
  if (!await showLast(target)) {
    await run(target);
  }
}

async function openTrace(uri) {
  if (!mayRun()) {
    vscode.window.showInformationMessage(noProgram);
    return;
  }
  const chosen = uri ?? (await vscode.window.showOpenDialog({ title: 'A trace of gramc run', filters: { trace: ['jsonl'] } }))?.[0];
  if (chosen) {
    await traces.show(chosen);
  }
}

async function bind(target) {
  const title = target.library ? `The file of the agent that uses ${target.library}` : 'The library file';
  const chosen = await vscode.window.showOpenDialog({ title, filters: { gram: ['gram'] }, defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(target.uri), '..') });
  if (chosen) {
    const other = chosen[0].fsPath;
    const [agent, library] = target.library ? [other, target.file] : [target.file, other];
    await execute(`bind ${target.agent ?? target.library ?? ''}`.trim(), target, bindArguments(agent, target, library));
  }
}

async function runTest(target) {
  if (target.test) {
    await execute(`test ${target.test}`, target, testArguments(target.file, target));
  }
}

function activate(context) {
  const preview = new SchemaPreview(gramc, mayRun);
  traces = new TraceView(gramc);
  // withTarget returns a command that acts on the target of a lens.
  const withTarget = (lens, act) => async (argument) => {
    const target = await targetOf(lens, argument);
    if (target) {
      await act(target);
    }
  };
  context.subscriptions.push(
    traces,
    ...preview.register(),
    vscode.commands.registerCommand('gramc.run', withTarget('gramc.run', run)),
    vscode.commands.registerCommand('gramc.bind', withTarget('gramc.bind', bind)),
    vscode.commands.registerCommand('gramc.test', withTarget('gramc.test', runTest)),
    vscode.commands.registerCommand('gramc.schema', withTarget('gramc.schema', (target) => preview.show(target))),
    vscode.commands.registerCommand('gram.showTrace', withTarget('gramc.run', showTrace)),
    vscode.commands.registerCommand('gram.openTrace', openTrace),
    vscode.commands.registerCommand('gram.restart', async () => { await stop(); await start(); }),
    vscode.tasks.onDidEndTask(ended),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('gram.server.path')) {
        await stop();
        await start();
      }
    }),
  );
  return start();
}

module.exports = { activate, deactivate: stop };
