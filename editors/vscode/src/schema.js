// A preview of schemas: a read-only document of JSON, which follows the file.
'use strict';
const vscode = require('vscode');
const { output, schemaArguments } = require('./gramc');

const scheme = 'gram-schema';

// uriOf returns the URI of the preview of a target.
function uriOf(target) {
  const name = target.tool ?? vscode.Uri.parse(target.uri).path.split('/').pop();
  return vscode.Uri.from({ scheme, path: `/${name}.schema.jsonc`, query: JSON.stringify({ uri: target.uri, tool: target.tool }) });
}

// commented returns text as lines of comments.
const commented = (text) => text.split('\n').map((line) => `// ${line}\n`).join('');

class SchemaPreview {
  constructor(program, mayRun) {
    this.program = program;
    this.mayRun = mayRun;
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
    this.shown = new Map(); // the URIs of previews, by their text
  }

  register() {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.gram');
    const refresh = () => this.refresh();
    return [
      this.changed,
      watcher, watcher.onDidChange(refresh), watcher.onDidCreate(refresh), watcher.onDidDelete(refresh),
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidSaveTextDocument((document) => document.languageId === 'gram' && this.refresh()),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    ];
  }

  provideTextDocumentContent(uri) {
    if (!this.mayRun()) {
      return '// Trust this folder to see the schema.\n';
    }
    const target = JSON.parse(uri.query);
    this.shown.set(uri.toString(), uri);
    return output(this.program(), schemaArguments(vscode.Uri.parse(target.uri).fsPath, target)).catch((error) => commented(error.message));
  }

  // refresh updates all previews: a schema can depend on other files.
  refresh() {
    this.shown.forEach((uri) => this.changed.fire(uri));
  }

  async show(target) {
    const uri = uriOf(target);
    if (this.shown.has(uri.toString())) {
      this.changed.fire(uri);
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}

module.exports = { SchemaPreview };
