// Drives a language server as VS Code does, with the packages that VS Code's
// client is made of:
//
//	node drive.js SERVER FOLDER SEEDS EDITS
//
// FOLDER holds clerk.gram, tools.gram, ugly.gram and long.gram. Each check is
// a line: ok NAME or FAIL NAME, with words behind a colon.
'use strict';
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');
const { pathToFileURL } = require('node:url');
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = require('vscode-languageserver-protocol/node');
const lsp = require('vscode-languageserver-protocol');
const { TextDocument } = require('vscode-languageserver-textdocument');

const { runArguments, schemaArguments } = require('../src/gramc');
const { contributes } = require('../package.json');

const [server, folder, seeds, edits] = process.argv.slice(2);

let failed = false;
function check(name, ok, detail = '') {
  failed ||= !ok;
  console.log(`${ok ? 'ok' : 'FAIL'} ${name}${detail && ': ' + String(detail).slice(0, 2000)}`);
}

// A Client is a client of a server of its own, with documents of whose text it
// keeps account itself.
class Client {
  async start() {
    this.process = spawn(server, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.connection = createProtocolConnection(new StreamMessageReader(this.process.stdout), new StreamMessageWriter(this.process.stdin));
    this.connection.onRequest(lsp.RegistrationRequest.type, () => {});
    this.connection.listen();
    this.documents = new Map();
    const root = pathToFileURL(folder).href;
    await this.ask(lsp.InitializeRequest, {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: 'test' }],
      capabilities: {
        general: { positionEncodings: ['utf-16'] },
        workspace: { workspaceEdit: { documentChanges: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
        textDocument: {
          diagnostic: {},
          semanticTokens: { requests: { full: true }, tokenTypes: Object.values(lsp.SemanticTokenTypes), tokenModifiers: [], formats: ['relative'] },
          rename: { prepareSupport: true },
          completion: { completionItem: { snippetSupport: true } },
        },
      },
    });
    this.tell(lsp.InitializedNotification, {});
    return this;
  }

  ask(request, params) { return this.connection.sendRequest(request.type ?? request, params); }

  tell(notification, params) { this.connection.sendNotification(notification.type, params); }

  open(name, text = fs.readFileSync(path.join(folder, name), 'utf8')) {
    const document = TextDocument.create(pathToFileURL(path.join(folder, name)).href, 'gram', 1, text);
    this.documents.set(document.uri, document);
    this.tell(lsp.DidOpenTextDocumentNotification, { textDocument: { uri: document.uri, languageId: 'gram', version: 1, text } });
    return document;
  }

  close(document) {
    this.documents.delete(document.uri);
    this.tell(lsp.DidCloseTextDocumentNotification, { textDocument: { uri: document.uri } });
  }

  change(document, contentChanges) {
    TextDocument.update(document, contentChanges, document.version + 1);
    this.tell(lsp.DidChangeTextDocumentNotification, { textDocument: { uri: document.uri, version: document.version }, contentChanges });
  }

  // apply makes edits as an editor does: from the end to the start.
  apply(document, textEdits) {
    const changes = [...textEdits].sort((a, b) => document.offsetAt(b.range.start) - document.offsetAt(a.range.start));
    this.change(document, changes.map(({ range, newText }) => ({ range, text: newText })));
  }

  async diagnostics(document) {
    const report = await this.ask(lsp.DocumentDiagnosticRequest, { textDocument: { uri: document.uri } });
    return report.items;
  }

  format(document) {
    return this.ask(lsp.DocumentFormattingRequest, { textDocument: { uri: document.uri }, options: { tabSize: 2, insertSpaces: true } });
  }

  // view is all that the server says of a document.
  async view(document) {
    const textDocument = { uri: document.uri };
    return {
      text: await this.ask('gram/text', { textDocument }),
      diagnostics: (await this.diagnostics(document)).map(({ data, ...rest }) => rest),
      symbols: await this.ask(lsp.DocumentSymbolRequest, { textDocument }),
      tokens: (await this.ask(lsp.SemanticTokensRequest, { textDocument })).data,
      folds: await this.ask(lsp.FoldingRangeRequest, { textDocument }),
      formatted: await this.format(document),
    };
  }

  async stop() {
    const exit = once(this.process, 'exit');
    await this.ask(lsp.ShutdownRequest, undefined);
    this.tell(lsp.ExitNotification, undefined);
    const [code, signal] = await exit;
    this.connection.dispose();
    return signal ?? code;
  }
}

async function complete(client) {
  const text = '[a:Agent {instruction: "😀", mo}]\n';
  const document = client.open('complete.gram', text);
  const position = document.positionAt(text.indexOf('mo}') + 2);
  const answer = await client.ask(lsp.CompletionRequest, { textDocument: { uri: document.uri }, position });
  const labels = (answer.items ?? answer).map((item) => item.label);
  check('completion', labels.some((label) => label.startsWith('model')), labels);
  client.close(document);
}

// lenses looks whether the extension has the commands of the lenses, and what
// they would ask gramc for.
async function lenses(client) {
  const documents = [client.open('clerk.gram'), client.open('tools.gram')];
  const list = (await Promise.all(documents.map((d) => client.ask(lsp.CodeLensRequest, { textDocument: { uri: d.uri } })))).flat();
  const [agent, tool] = ['gramc.run', 'gramc.schema'].map((name) => list.find((lens) => lens.command.command === name)?.command.arguments[0]);
  const asked = [runArguments('clerk.gram', agent ?? {}, 'Hello', 'trace.jsonl'), schemaArguments('tools.gram', tool ?? {})].map((args) => args.join(' '));
  const unknown = list.filter((lens) => !contributes.commands.some(({ command }) => command === lens.command.command));
  check('lenses', unknown.length === 0 && isDeepStrictEqual(asked, [
    'run clerk.gram --trace trace.jsonl --agent clerk --offline -- Hello', 'schema tools.gram --tool weather',
  ]), JSON.stringify(list));
  documents.forEach((d) => client.close(d));
}

async function rename(client) {
  const documents = [client.open('clerk.gram'), client.open('tools.gram')];
  const [clerk] = documents;
  const broken = (await Promise.all(documents.map((d) => client.diagnostics(d)))).flat();
  check('diagnostics', broken.length === 0, JSON.stringify(broken));
  const position = clerk.positionAt(clerk.getText().lastIndexOf('weather') + 1);
  const edit = await client.ask(lsp.RenameRequest, { textDocument: { uri: clerk.uri }, position, newName: 'forecast' });
  const changes = edit.documentChanges ?? Object.entries(edit.changes).map(([uri, list]) => ({ textDocument: { uri }, edits: list }));
  for (const { textDocument, edits: list } of changes) {
    client.apply(client.documents.get(textDocument.uri), list);
  }
  const texts = documents.map((d) => d.getText());
  const after = (await Promise.all(documents.map((d) => client.diagnostics(d)))).flat();
  check('rename', changes.length === 2 && texts.every((t) => t.includes('forecast') && !t.includes('weather')), texts.join('\n'));
  check('diagnostics after renaming', after.length === 0, JSON.stringify(after));
  documents.forEach((d) => client.close(d));
}

async function format(client) {
  const document = client.open('ugly.gram');
  client.apply(document, await client.format(document));
  check('formatting', document.getText() === fs.readFileSync(path.join(folder, 'formatted.txt'), 'utf8'), document.getText());
  check('formatting again', (await client.format(document)).length === 0);
  client.close(document);
}

const pieces = [
  '😀', '👩‍👩‍👧', 'é', 'e\u0301', 'x', 'tool', ' ', '\n', '\r\n', '\r', '"', "'", '`', '```\n', '//', '{', '}', '[', ']', '(', ')', '|', ',', ':', '::', '==>',
  '1.5', '-', '[n:Tool {description: "😀 d"} | (a::Text)==>(::Text)]\n', 'description: "😀"', '\u2028', '漢字',
];

// random returns a generator of numbers below a limit.
function random(seed) {
  let state = seed * 0x9e3779b9;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) % limit;
  };
}

// place returns an offset that is not inside of a character.
function place(text, offset) {
  const inside = text.charCodeAt(offset) >> 10 === 0x37 && text.charCodeAt(offset - 1) >> 10 === 0x36;
  return inside ? offset - 1 : offset;
}

function randomChange(document, base, below) {
  const text = document.getText();
  const start = place(text, below(text.length + 1));
  const remove = below(3) === 0 || text.length > 2 * base.length ? below(40) : 0;
  const end = Math.max(start, place(text, Math.min(text.length, start + remove)));
  const insert = below(4) === 0 ? '' : pieces[below(pieces.length)];
  return { range: { start: document.positionAt(start), end: document.positionAt(end) }, text: insert };
}

async function compare(client, fresh, document) {
  const again = fresh.open(path.basename(document.uri), document.getText());
  const [got, want] = await Promise.all([client.view(document), fresh.view(again)]);
  fresh.close(again);
  if (got.text !== document.getText()) {
    return `the text differs: ${JSON.stringify(got.text).slice(0, 500)}`;
  }
  return isDeepStrictEqual(got, want) ? '' : `${JSON.stringify(got)}\n${JSON.stringify(want)}`;
}

async function randomEdits(client, fresh, seed) {
  const below = random(seed);
  const document = client.open('long.gram');
  const base = document.getText();
  let mismatches = 0;
  let first = '';
  for (let done = 0; done < Number(edits);) {
    const changes = [];
    const copy = TextDocument.create(document.uri, 'gram', 0, document.getText());
    for (const more = 1 + below(3); changes.length < more; done++) {
      const change = randomChange(copy, base, below);
      TextDocument.update(copy, [change], 0);
      changes.push(change);
    }
    client.change(document, changes);
    if (below(100) === 0 || done >= Number(edits)) {
      const difference = await compare(client, fresh, document);
      mismatches += difference ? 1 : 0;
      first ||= difference;
    }
  }
  check(`seed ${seed}`, mismatches === 0, `${mismatches} mismatches after ${edits} edits; ${first}`);
  client.close(document);
}

async function main() {
  const [client, fresh] = await Promise.all([new Client().start(), new Client().start()]);
  await complete(client);
  await lenses(client);
  await rename(client);
  await format(client);
  for (let seed = 1; seed <= Number(seeds); seed++) {
    await randomEdits(client, fresh, seed);
  }
  const codes = await Promise.all([client.stop(), fresh.stop()]);
  check('exit', codes.every((code) => code === 0), codes);
}

main().catch((error) => check('everything', false, error.stack)).finally(() => process.exit(failed ? 1 : 0));
