// A stand-in for the module vscode, and for the language client, for tests.
'use strict';
const Module = require('node:module');
const { fileURLToPath, pathToFileURL } = require('node:url');

class Uri {
  constructor(parts) { Object.assign(this, { scheme: 'file', path: '', query: '', ...parts }); }
  static parse(text) {
    const url = new URL(text);
    return new Uri({ scheme: url.protocol.slice(0, -1), path: decodeURIComponent(url.pathname), query: decodeURIComponent(url.search.slice(1)) });
  }
  static file(path) { return new Uri({ path }); }
  static from(parts) { return new Uri(parts); }
  static joinPath(uri, ...parts) { return new Uri({ ...uri, path: require('node:path').posix.join(uri.path, ...parts) }); }
  get fsPath() { return fileURLToPath(this.toString()); }
  toString() {
    const base = this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${encodeURI(this.path)}`;
    return this.query ? `${base}?${encodeURIComponent(this.query)}` : base;
  }
}

// fake returns the module, and what is said to it: commands by name, tasks,
// messages, language clients, previews and panels. Its events are sent by emit.
function fake({ trusted = true, folders, settings = {}, answers = {}, lenses = [], cursor } = {}) {
  const listeners = new Map();
  const emit = (name, value) => Promise.all((listeners.get(name) ?? []).map((f) => f(value)));
  const said = { commands: new Map(), tasks: [], messages: [], clients: [], previews: [], panels: [], emit };
  const disposable = { dispose() {} };
  const event = (name) => (listener) => { listeners.set(name, [...listeners.get(name) ?? [], listener]); return disposable; };
  const defaults = {};
  const contributed = require('../package.json').contributes.configuration.properties;
  for (const [name, { default: value }] of Object.entries(contributed)) {
    defaults[name.slice('gram.'.length)] = value;
  }
  const vscode = {
    Uri,
    EventEmitter: class { event = event('fired'); fire(value) { emit('fired', value); } dispose() {} },
    Task: class { constructor(definition, scope, name, source, execution) { Object.assign(this, { definition, scope, name, source, execution }); } },
    TaskScope: { Workspace: 2 },
    ProcessExecution: class { constructor(process, args, options) { Object.assign(this, { process, args, options }); } },
    ViewColumn: { Beside: -2 },
    workspace: {
      isTrusted: trusted,
      workspaceFolders: folders,
      createFileSystemWatcher: (pattern) => ({ onDidChange: event(`change ${pattern}`), onDidCreate: event(`create ${pattern}`), onDidDelete: event(`delete ${pattern}`), dispose() {} }),
      textDocuments: [],
      getConfiguration: () => ({ get: (name) => settings[name] ?? defaults[name] }),
      getWorkspaceFolder: () => undefined,
      registerTextDocumentContentProvider: (scheme, provider) => { said.provider = provider; return disposable; },
      openTextDocument: async (uri) => ({ uri, text: await said.provider.provideTextDocumentContent(uri) }),
      onDidSaveTextDocument: event('save'), onDidCloseTextDocument: event('close'),
      onDidGrantWorkspaceTrust: event('trust'), onDidChangeConfiguration: event('configuration'),
    },
    window: {
      activeTextEditor: cursor && { document: { uri: Uri.parse(cursor.uri) }, selection: { active: { line: cursor.line } } },
      createWebviewPanel: (type, title, show, options) => {
        const panel = { options, webview: { html: '' }, reveal() {}, onDidDispose: event('panel closed'), dispose() {} };
        said.panels.push(panel);
        return panel;
      },
      showInputBox: async () => answers.message,
      showOpenDialog: async () => answers.file && [new Uri({ path: answers.file })],
      showErrorMessage: async (text) => { said.messages.push(text); },
      showInformationMessage: async (text) => { said.messages.push(text); },
      showTextDocument: async (document) => { said.previews.push(document); },
    },
    commands: { registerCommand: (name, handler) => { said.commands.set(name, handler); return disposable; }, executeCommand: async (name) => (name === 'vscode.executeCodeLensProvider' ? lenses : undefined) },
    tasks: { executeTask: async (task) => { said.tasks.push(task); return { task }; }, onDidEndTask: event('task ended') },
  };
  class LanguageClient {
    constructor(id, name, server, options) { Object.assign(this, { server, options }); said.clients.push(this); }
    async start() { if (answers.start) { throw answers.start; } this.running = true; }
    async stop() { this.running = false; }
    needsStop() { return this.running; }
  }
  return { vscode, client: { LanguageClient }, said };
}

// withModules calls f while require finds those modules.
function withModules(modules, f) {
  const load = Module._load;
  Module._load = (request, ...rest) => modules[request] ?? load(request, ...rest);
  try {
    return f();
  } finally {
    Module._load = load;
  }
}

module.exports = { fake, withModules };
