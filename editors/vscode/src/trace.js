// The page that shows a trace of `gramc run --trace`. Nothing here depends on an
// editor, and the content of a trace reaches the page only as text.
'use strict';
const { randomBytes } = require('node:crypto');

// The maximum number of characters shown of one text.
const maxShown = 20_000;

// parse reads a line of JSON. A number that JavaScript would change, such as 2.0
// or one of twenty digits, is kept as a marked string until json writes it.
function parse(line) {
  const kept = (word) => (word[0] === '"' || String(Number(word)) === word ? word : `"\\u0000${word}"`);
  return JSON.parse(line.replace(/"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g, kept));
}

function json(value) {
  const write = (indent) => JSON.stringify(value, null, indent).replace(/"\\u0000(-?\d[\d.eE+-]*)"/g, '$1');
  const line = write(0);
  return line.length <= 80 ? line : write(2);
}

// readTrace returns the runs of a trace: message, requests, each with its calls,
// and the last event. Lines that are not events are counted; the last line of a
// run in progress can be incomplete.
function readTrace(text) {
  const runs = [];
  let broken = 0;
  for (const line of text.split('\n').filter((l) => l.trim())) {
    try {
      add(runs, parse(line));
    } catch {
      broken++;
    }
  }
  return { runs, broken };
}

// add puts an event where it belongs, and throws if it fits nowhere.
function add(runs, event) {
  if (event.event === 'message') {
    runs.push({ message: event, notes: [], requests: [], last: undefined });
    return;
  }
  const run = runs.at(-1) ?? (event.event === 'stopped' && runs[runs.push({ notes: [], requests: [] }) - 1]);
  const request = run.requests.at(-1);
  switch (event.event) {
    case 'model-request':
      run.requests.push({ asked: event, answered: undefined, notes: [], calls: [] });
      break;
    case 'model-response':
      request.answered = event;
      break;
    case 'model-fallback':
    case 'compacted':
      (request ?? run).notes.push(event);
      break;
    case 'approval':
      request.calls.at(-1).approval = event;
      break;
    case 'tool-started':
      request.calls.push({ started: event, finished: undefined });
      break;
    case 'tool-finished':
      request.calls.find((c) => c.started.id === event.id).finished = event;
      break;
    case 'answer':
    case 'stopped':
      run.last = event;
      break;
    default:
      throw new Error('no event of a trace');
  }
}

// escaped returns text that is safe on the page: without tags, and without
// characters that hide or reorder the text around them.
function escaped(text) {
  let shown = String(text ?? '');
  if (shown.length > maxShown) {
    shown = `${shown.slice(0, maxShown)}… (${shown.length} characters)`;
  }
  return shown
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// between returns how long something took, or nothing if it has no end.
function between(start, end) {
  const ms = Date.parse(end?.time) - Date.parse(start?.time);
  if (Number.isNaN(ms)) {
    return '';
  }
  return ms < 1 ? '< 1 ms' : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const counted = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;
const joined = (...facts) => facts.filter(Boolean).map(escaped).join(' · ');

function tokens(usage) {
  return usage ? `${usage.input} tokens in, ${usage.output} out` : '';
}

// notePart shows a change to another model, or a summary.
function notePart(event) {
  const text = event.event === 'compacted' ? `compacted ${counted(event.messages, 'message')} into a summary`
    : `fallback to ${event.model}: ${event.error?.message ?? ''}`;
  return `<p><em>${escaped(text)}</em></p>`;
}

function callRow({ started, approval, finished }) {
  const result = finished?.invocation?.result ?? {};
  const outcome = !finished ? '<em>no result</em>'
    : result.error !== undefined ? `<pre class="wrong">✗ ${escaped(result.error)}</pre>`
      : `<pre>${escaped(json(result.success ?? null))}</pre>`;
  // The finished call has the original text of the model, which need not be JSON.
  const args = finished?.invocation?.args ?? started.args ?? {};
  return `<tr><th scope="row">${escaped(started.tool_name)}</th><td><pre>${escaped(json(args))}</pre></td><td>${outcome}</td><td>${joined(approval && (approval.allowed ? 'allowed' : 'not allowed'), between(started, finished))}</td></tr>`;
}

// requestPart shows a request, without the text that is shown below as the answer.
function requestPart({ asked, answered, notes, calls }, answer) {
  const first = Number(answered?.first_token_ms);
  const facts = joined(between(asked, answered), first > 0 ? `first token after ${Math.round(first)} ms` : '', tokens(answered?.usage),
    answered?.cost_usd > 0 ? `$${Number(answered.cost_usd).toFixed(4)}` : '', answered?.finish, answered ? '' : 'no response');
  const said = [answered?.content, answered?.refusal].filter((text) => text && text !== answer).map((text) => `<pre>${escaped(text)}</pre>`).join('');
  const rows = calls.map(callRow).join('');
  const table = rows && `<table><thead><tr><th>Tool</th><th>Arguments</th><th>Result</th><th>Time</th></tr></thead><tbody>${rows}</tbody></table>`;
  return `<details open><summary>Request ${escaped(asked.turn)} <small>${facts}</small></summary>${notes.map(notePart).join('')}${said}${table}</details>`;
}

function runPart({ message, notes, requests, last }) {
  const usages = requests.map((r) => r.answered?.usage).filter(Boolean);
  const sum = (key) => usages.reduce((n, usage) => n + Number(usage[key] ?? 0), 0);
  const calls = requests.reduce((n, r) => n + r.calls.length, 0);
  const total = joined(counted(requests.length, 'request'), counted(calls, 'call'),
    usages.length ? tokens({ input: sum('input'), output: sum('output') }) : '', between(message, last));
  const end = last?.error ? `<pre class="wrong">✗ ${escaped(last.error.kind)}: ${escaped(last.error.message)}</pre>`
    : last ? `<pre class="answer">${escaped(last.content)}</pre>` : '<p><em>The run has not ended.</em></p>';
  const heading = message ? `<h1>${escaped(message.agent)} <small>${joined(message.model, new Date(message.time).toLocaleString())}</small></h1>
<pre class="said">💬 ${escaped(message.content)}</pre>
<details><summary>Instruction and tools</summary><pre>${escaped(message.instruction)}</pre><p>${joined(...[message.tools ?? []].flat()) || 'no tools'}</p></details>` : '';
  return `<section>${heading}${notes.map(notePart).join('')}${requests.map((r) => requestPart(r, last?.content)).join('')}${end}<p><small>${total}</small></p></section>`;
}

// shown is runPart for traces that gramc may not have written.
function shown(run) {
  try {
    return runPart(run);
  } catch (error) {
    return `<p class="wrong">This run cannot be shown: ${escaped(error.message)}</p>`;
  }
}

const style = `
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); }
h1 { font-size: 1.3em; margin: 1em 0 .3em; }
small { color: var(--vscode-descriptionForeground); font-weight: normal; }
summary { cursor: pointer; margin: .4em 0; }
pre { font-family: var(--vscode-editor-font-family); white-space: pre-wrap; overflow-wrap: anywhere; margin: .2em 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2em .8em .2em 0; border-bottom: 1px solid var(--vscode-panel-border); }
.said, .answer { padding: .4em; background: var(--vscode-textCodeBlock-background); }
.wrong { color: var(--vscode-errorForeground); }
`;

// page returns a trace as HTML that loads nothing and runs nothing.
function page(text) {
  const { runs, broken } = readTrace(text);
  const nonce = randomBytes(16).toString('hex');
  const note = runs.length === 0 ? '<p>This is no trace of <code>gramc run --trace</code>.</p>'
    : broken ? `<p><em>${counted(broken, 'line')} could not be read.</em></p>` : '';
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<style nonce="${nonce}">${style}</style><title>Trace</title></head>
<body>${note}${runs.map(shown).join('')}</body></html>
`;
}

module.exports = { page };
