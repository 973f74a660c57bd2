// The traces of runs, and the view that shows one beside the editor.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const { output, traceArguments } = require('./gramc');

const keyOf = (target) => JSON.stringify([target.file, target.agent]);

class TraceView {
  constructor(program) {
    this.program = program; // gramc
    this.files = new Map(); // the trace of the last run, by keyOf
    this.folder = undefined; // where they are; nobody else can read it
    this.panel = undefined;
  }

  // fileFor returns the file for the trace of the next run of a target, and deletes
  // the last one.
  fileFor(target) {
    const key = keyOf(target);
    if (!this.files.has(key)) {
      this.folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'gram-traces-'));
      this.files.set(key, path.join(this.folder, `${this.files.size}.trace.jsonl`));
    }
    const file = this.files.get(key);
    fs.rmSync(file, { force: true });
    return file;
  }

  // last returns the trace of the last run of a target.
  last(target) {
    const file = this.files.get(keyOf(target));
    return file && fs.existsSync(file) ? vscode.Uri.file(file) : undefined;
  }

  // show shows the page that gramc makes of a trace. It runs no script and loads nothing, by a
  // policy of its own.
  async show(uri) {
    let page;
    try {
      page = await output(this.program(), traceArguments(uri.fsPath));
    } catch (error) {
      vscode.window.showErrorMessage(`gram: ${error.message}`);
      return;
    }
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel('gram.trace', 'Trace', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: false, enableFindWidget: true, localResourceRoots: [] });
      this.panel.onDidDispose(() => { this.panel = undefined; });
    }
    this.panel.webview.html = page;
    this.panel.reveal(undefined, true);
  }

  dispose() {
    this.panel?.dispose();
    if (this.folder) {
      fs.rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

module.exports = { TraceView };
