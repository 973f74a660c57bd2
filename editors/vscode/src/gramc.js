// What gramc is asked for, as arguments. Nothing here knows of an editor.
'use strict';

// A target says what a command is about, as the lenses of the language server
// do: uri, and maybe agent, tool, library and offline.

// runArguments asks an agent, and writes what happens to a file. A message may
// start with a dash.
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

// schemaArguments prints the schema of a tool, or of all tools of a file.
function schemaArguments(file, target) {
  return target.tool ? ['schema', file, '--tool', target.tool] : ['schema', file];
}

module.exports = { runArguments, bindArguments, schemaArguments };
