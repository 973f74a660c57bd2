// The command lines of gramc. Nothing here depends on an editor.
'use strict';
const { execFile } = require('node:child_process');

// A target is the subject of a command, from a lens of the language server: uri,
// and optionally agent, tool, library and offline.

// runArguments sends a message to an agent, and writes the trace to a file. A
// message can start with a dash.
function runArguments(file, target, message, trace) {
  const args = ['run', file, '--trace', trace];
  if (target.agent) {
    args.push('--agent', target.agent);
  }
  if (target.offline) {
    args.push('--offline');
  }
  return [...args, '--', message];
}

// bindArguments proves that a library has the tools of an agent.
function bindArguments(file, target, library) {
  const args = ['bind', file];
  if (target.agent) {
    args.push('--agent', target.agent);
  }
  return [...args, '--library', library];
}

// testArguments runs one test of a file.
function testArguments(file, target) {
  return ['test', file, '--run', `^${target.test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`];
}

// schemaArguments prints the schema of a tool, or of all tools of a file.
function schemaArguments(file, target) {
  return target.tool ? ['schema', file, '--tool', target.tool] : ['schema', file];
}

// traceArguments prints the page of a trace.
function traceArguments(file) {
  return ['trace', file, '--html', '-'];
}

// output runs gramc and returns its standard output. The error is what gramc says is wrong.
function output(program, args) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 10_000, maxBuffer: 256 << 20 }, (error, stdout, stderr) => {
      if (error) {
        reject(new Error(stderr.trim() || error.message));
      } else {
        resolve(stdout);
      }
    });
  });
}

module.exports = { runArguments, bindArguments, schemaArguments, testArguments, traceArguments, output };
