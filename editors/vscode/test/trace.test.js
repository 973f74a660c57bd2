// The page of a trace.
'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { page } = require('../src/trace');

const at = (ms) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const lines = (...events) => events.map((e, i) => JSON.stringify({ time: at(i * 400), ...e })).join('\n') + '\n';

// words returns what a page shows, without its tags and its style.
const words = (html) => html.replace(/<(style|title)[^]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')
  .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).replace(/\s+/g, ' ').trim();

const run = [
  { event: 'message', agent: 'clerk', model: 'OpenAI/m', instruction: 'Be kind.', tools: ['weather', 'find'], content: 'Hello' },
  { event: 'model-request', turn: 1 },
  { event: 'model-response', turn: 1, content: 'I look.', finish: 'tool_calls', usage: { input: 12, output: 3, total: 15 } },
  { event: 'tool-started', turn: 1, id: 'a', tool_name: 'weather', args: { city: 'Oslo' } },
  { event: 'tool-started', turn: 1, id: 'b', tool_name: 'find', args: {} },
  { event: 'tool-finished', turn: 1, id: 'b', invocation: { tool_name: 'find', args: 'no { json', result: { error: 'not found' } } },
  { event: 'tool-finished', turn: 1, id: 'a', invocation: { tool_name: 'weather', args: { city: 'Oslo' }, result: { success: 'rain' } } },
  { event: 'model-request', turn: 2 },
  { event: 'model-response', turn: 2, content: 'It rains.', finish: 'stop', usage: { input: 20, output: 4, total: 24 } },
  { event: 'answer', turn: 2, content: 'It rains.' },
];

test('each request, call, result, time and token of a run is shown', () => {
  const shown = words(page(lines(...run)));
  for (const want of [
    'clerk OpenAI/m', '💬 Hello', 'Be kind. weather · find',
    'Request 1 400 ms · 12 tokens in, 3 out · tool_calls I look.',
    'weather {"city":"Oslo"} "rain" 1.2 s find "no { json" ✗ not found 400 ms',
    'Request 2 400 ms · 20 tokens in, 4 out · stop It rains. 2 requests · 2 calls · 32 tokens in, 7 out · 3.6 s',
  ]) {
    assert.ok(shown.includes(want), `${want} is not in\n${shown}`);
  }
});

test('a run that failed, was killed, or goes on', () => {
  const failed = words(page(lines(run[0], run[1], { event: 'stopped', error: { kind: 'LLMAPIError', message: 'no key' } })));
  assert.match(failed, /Request 1 no response ✗ LLMAPIError: no key 1 request · 0 calls · 800 ms$/);
  assert.match(words(page(lines({ event: 'stopped', error: { kind: 'ToolError', message: 'no server' } }))), /^✗ ToolError: no server/);
  const killed = words(page(lines(...run.slice(0, 5)) + '{"event":"tool-fin'));
  assert.match(killed, /^1 line could not be read\..*weather \{"city":"Oslo"\} no result.*The run has not ended\./);
  assert.strictEqual((words(page(lines(...run, ...run))).match(/Hello/g)).length, 2);
});

test('fallbacks, compactions, approvals, first tokens and costs are shown', () => {
  const approved = [run[0], { event: 'model-fallback', model: 'B/early' }, run[1], { event: 'model-fallback', model: 'B/other', error: { message: 'busy' } },
    { ...run[2], first_token_ms: 120.4, cost_usd: 0.0125 }, run[3], { event: 'approval', tool_name: 'weather', allowed: true, ms: 9 }, run[4],
    { event: 'approval', tool_name: 'find', allowed: false }, run[5], run[6], { event: 'compacted', messages: 3, content: 'x' }, run[9]];
  const shown = words(page(lines(...approved)));
  for (const want of ['fallback to B/early: Request 1', 'fallback to B/other: busy', 'first token after 120 ms · 12 tokens in, 3 out · $0.0125',
    '✗ not found not allowed · 800 ms', '"rain" allowed · 2.0 s', 'compacted 3 messages into a summary']) {
    assert.ok(shown.includes(want), `${want} is not in\n${shown}`);
  }
  assert.ok(!shown.includes('could not be read'), shown);
});

test('what is no trace is said to be none', () => {
  for (const text of ['', 'hello\n', '{"a": 1}\n', 'null\n[]\n7', lines({ event: 'answer', content: 'x' }), lines({ event: 'constructor' })]) {
    assert.match(words(page(text)), /^This is no trace of gramc run --trace/, text);
  }
});

test('nothing of a trace becomes a tag, an attribute or a script', () => {
  const evil = `<script>alert(1)</script><img src=x onerror='a'>"'&<!--`;
  const everywhere = (value) => (typeof value === 'string' ? evil : Array.isArray(value) ? value.map(everywhere)
    : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k === 'city' ? evil : k, everywhere(v)])) : evil);
  const keep = (e) => ({ ...everywhere(e), event: e.event, id: e.id });
  const tags = (html) => html.match(/<[^>]*>?/g).map((tag) => tag.replace(/nonce-?=?"?[0-9a-f]+"?/, 'nonce'));
  const html = page(lines(...run.map(keep)));
  assert.deepStrictEqual([...new Set(tags(html))].sort(), [...new Set(tags(page(lines(...run))))].sort());
  assert.ok(words(html).includes('<script>alert(1)</script>'), 'it is shown as text');
  assert.match(html, /content="default-src 'none'; style-src 'nonce-[0-9a-f]{32}'"/);
  assert.notStrictEqual(html, page(lines(...run.map(keep))), 'a nonce is used once');
});

test('signs that hide or turn text around are shown', () => {
  assert.ok(words(page(lines({ ...run[0], content: 'a\u202eb\u0000c\x1b[1m\nd' }))).includes('💬 a\\u202eb\\u0000c\\u001b[1m d'));
});

test('events of another form do no harm', () => {
  for (const bad of [null, 7, 'x', [], {}, { error: 1 }, [[[]]]]) {
    const odd = run.map((e) => Object.fromEntries(Object.keys(e).map((k) => [k, k === 'event' || k === 'id' ? e[k] : bad])));
    assert.match(page(odd.map((e) => JSON.stringify(e)).join('\n')), /<\/html>/);
  }
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.match(page(lines(run[0], run[1]) + `{"event":"tool-started","id":"a","args":${deep}}`), /<\/html>/);
});

test('numbers stay as they are, and long texts are cut', () => {
  const args = '{"id":12345678901234567890,"price":2.0,"n":-1,"text":"2.0 \\"3.0"}';
  const started = `{"event":"tool-started","id":"a","tool_name":"t","args":${args}}\n`;
  assert.ok(words(page(lines(run[0], run[1]) + started)).includes('{"id":12345678901234567890,"price":2.0,"n":-1,"text":"2.0 \\"3.0"}'));
  const long = page(lines({ ...run[0], content: '<'.repeat(5_000_000) }));
  assert.ok(long.length < 200_000 && long.includes('… (5000000 characters)'));
  assert.match(page(lines({ ...run[0], content: '"\\'.repeat(1_000_000) })), /2000000 characters/);
});
