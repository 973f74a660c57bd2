// The gram extension: the language client, and the commands of lenses.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { runArguments, bindArguments } = require('./gramc');
const { SchemaPreview } = require('./schema');

let client; // the language client, once the folder is trusted

const setting = (name) => vscode.workspace.getConfiguration('gram').get(name);
const gramc = () => setting('gramc.path');

async function start() {
  const command = setting('server.path');
  client = new LanguageClient('gram', 'gram', { command, args: [] }, {
    documentSelector: [{ scheme: 'file', language: 'gram' }, { scheme: 'untitled', language: 'gram' }],
    diagnosticCollectionName: 'gram',
  });
  try {
    await client.start();
  } catch (error) {
    const open = 'Open Settings';
    const chosen = await vscode.window.showErrorMessage(`gram: the language server ${command} does not start: ${error.message}`, open);
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

// targetOf returns what a lens speaks of, or the file that is shown, saved: gramc
// reads files. It is undefined when there is none.
async function targetOf(argument) {
  const target = argument?.uri ? argument : { uri: vscode.window.activeTextEditor?.document.uri.toString(), offline: setting('run.offline') };
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === target.uri);
  if (!target.uri || document?.isUntitled) {
    vscode.window.showInformationMessage('gram: save the file first.');
    return undefined;
  }
  await document?.save();
  return { ...target, file: vscode.Uri.parse(target.uri).fsPath };
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

async function run(argument) {
  const target = await targetOf(argument);
  if (!target) {
    return;
  }
  const message = await vscode.window.showInputBox({ prompt: `What do you say to ${target.agent ?? 'the agent'}?`, value: 'Hello' });
  if (message) {
    await execute(`run ${target.agent ?? target.file}`, target, runArguments(target.file, target, message));
  }
}

async function bind(argument) {
  const target = await targetOf(argument);
  if (!target) {
    return;
  }
  const title = target.library ? `The file of the agent that uses ${target.library}` : 'The library file';
  const chosen = await vscode.window.showOpenDialog({ title, filters: { gram: ['gram'] }, defaultUri: vscode.Uri.joinPath(vscode.Uri.parse(target.uri), '..') });
  if (chosen) {
    const other = chosen[0].fsPath;
    const [agent, library] = target.library ? [other, target.file] : [target.file, other];
    await execute(`bind ${target.agent ?? target.library ?? ''}`.trim(), target, bindArguments(agent, target, library));
  }
}

function activate(context) {
  const preview = new SchemaPreview(gramc);
  const schema = async (argument) => {
    const target = await targetOf(argument);
    if (target) {
      await preview.show(target);
    }
  };
  context.subscriptions.push(
    ...preview.register(),
    vscode.commands.registerCommand('gramc.run', run),
    vscode.commands.registerCommand('gramc.bind', bind),
    vscode.commands.registerCommand('gramc.schema', schema),
    vscode.commands.registerCommand('gram.restart', async () => { await stop(); await start(); }),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('gram.server.path') && vscode.workspace.isTrusted) {
        await stop();
        await start();
      }
    }),
  );
  return vscode.workspace.isTrusted ? start() : undefined;
}

module.exports = { activate, deactivate: stop };
