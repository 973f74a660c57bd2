-- Drives a language server by Neovim's own client, with the configuration of
-- this folder:
--
--   nvim --headless --clean --cmd 'set runtimepath^=editors/nvim' -S drive.lua
--
-- The environment says what to test: GRAM_SERVER, GRAM_FOLDER (with clerk.gram,
-- tools.gram, ugly.gram and long.gram), GRAM_SEEDS and GRAM_EDITS. Each check is
-- a line: ok NAME or FAIL NAME, with details after a colon.
local failed = false
local function check(name, ok, detail)
  failed = failed or not ok
  io.stdout:write((ok and 'ok ' or 'FAIL ') .. name .. (detail and ': ' .. detail:sub(1, 2000) or '') .. '\n')
end

local folder = vim.env.GRAM_FOLDER
local published = {} -- the last diagnostics by URI, with their version
local exits = {}

local config = require('gram').config
config.cmd = { vim.env.GRAM_SERVER }
config.flags = { debounce_text_changes = 0 }
config.on_exit = function(code, signal) table.insert(exits, signal ~= 0 and signal or code) end
local show = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ...)
  if result.version then -- without one the document was closed
    published[result.uri] = result
  end
  return show(err, result, ...)
end

local function clients_of(buffer)
  return vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)
end

local function client_of(buffer)
  vim.wait(5000, function() return next(clients_of(buffer)) ~= nil end, 5)
  return select(2, next(clients_of(buffer)))
end

local function open(name)
  vim.cmd('silent edit! ' .. vim.fn.fnameescape(folder .. '/' .. name))
  local buffer = vim.api.nvim_get_current_buf()
  return buffer, client_of(buffer)
end

-- request returns the response of the server, or nil and the error.
local function request(client, buffer, method, params, timeout)
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answer, err
  if vim.fn.has('nvim-0.11') == 1 then
    answer, err = client:request_sync(method, params, timeout, buffer)
  else
    answer, err = client.request_sync(method, params, timeout, buffer)
  end
  return answer and answer.result, err or answer.err
end

local function ask(client, buffer, method, params)
  local result, err = request(client, buffer, method, params, 10000)
  return err and error(method .. ': ' .. vim.inspect(err)) or result
end

local function text_of(buffer)
  local ending = vim.bo[buffer].fileformat == 'dos' and '\r\n' or '\n'
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), ending) .. ending
end

-- diagnostics requests them if Neovim does, since 0.10, or else waits until the
-- server has published those of the current text.
local function diagnostics(buffer)
  if vim.lsp.protocol.make_client_capabilities().textDocument.diagnostic then
    local report
    vim.wait(10000, function() -- when Neovim asks itself, it cancels what is asked for already
      report = request(client_of(buffer), buffer, 'textDocument/diagnostic', {}, 1000)
      return report
    end, 5)
    return report.items
  end
  local uri = vim.uri_from_bufnr(buffer)
  local version = vim.lsp.util.buf_versions[buffer]
  local there = vim.wait(10000, function()
    return published[uri] and published[uri].version >= version
  end, 5)
  return there and published[uri].diagnostics or error('no diagnostics of version ' .. version .. ' of ' .. uri)
end

-- position returns where a word last begins, in the encoding that client and
-- server have agreed on.
local function position(client, buffer, word)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  for line = #lines, 1, -1 do
    local found = lines[line]:match('.*()' .. word)
    if found then
      local before = lines[line]:sub(1, found - 1)
      return { line = line - 1, character = client.offset_encoding == 'utf-8' and #before or select(2, vim.str_utfindex(before)) }
    end
  end
end

local function complete()
  local buffer, client = open('complete.gram')
  check('root', (client.root_dir or client.config.root_dir) == folder, client.root_dir or client.config.root_dir)
  for _, option in ipairs({ 'omnifunc', 'tagfunc' }) do
    check(option, vim.bo[buffer][option] == 'v:lua.vim.lsp.' .. option, vim.bo[buffer][option])
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, { '[a:Agent {instruction: "😀", mo}]' })
  local at = position(client, buffer, 'mo}')
  at.character = at.character + 2
  local answer = ask(client, buffer, 'textDocument/completion', { position = at })
  local labels = vim.tbl_map(function(item) return item.label end, answer.items or answer)
  local found = vim.tbl_filter(function(label) return vim.startswith(label, 'model') end, labels)
  check('completion', #found > 0, table.concat(labels, ' '))
  local command = found[1] and (answer.items or answer)[1].command
  check('command of a completion', command and vim.lsp.commands[command.command] ~= nil, vim.inspect(command))
  vim.cmd('bdelete!')
end

local function rename()
  local tools = open('tools.gram')
  local clerk, client = open('clerk.gram')
  check('diagnostics', #diagnostics(clerk) == 0 and #diagnostics(tools) == 0)
  local edit = ask(client, clerk, 'textDocument/rename', { position = position(client, clerk, 'weather'), newName = 'forecast' })
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  local both = text_of(clerk) .. text_of(tools)
  check('rename', not both:find('weather') and both:find('forecast:Tool') and both:find('| forecast]'), both)
  local after = vim.list_extend(vim.deepcopy(diagnostics(clerk)), diagnostics(tools))
  check('diagnostics after renaming', #after == 0, vim.inspect(after))
  vim.cmd('silent bdelete! ' .. clerk .. ' ' .. tools)
end

local function format()
  local buffer, client = open('ugly.gram')
  local options = { options = { tabSize = 2, insertSpaces = true } }
  vim.lsp.util.apply_text_edits(ask(client, buffer, 'textDocument/formatting', options), buffer, client.offset_encoding)
  local want = io.open(folder .. '/formatted.txt'):read('a')
  check('formatting', text_of(buffer) == want, text_of(buffer))
  check('formatting again', #ask(client, buffer, 'textDocument/formatting', options) == 0)
  vim.cmd('bdelete!')
end

-- lenses checks the arguments of gramc for the lenses of a tool.
local function lenses()
  local buffer, client = open('tools.gram')
  local asked = {}
  for _, lens in ipairs(ask(client, buffer, 'textDocument/codeLens', {})) do
    table.insert(asked, table.concat(require('gram').arguments(lens.command) or {}, ' '))
    check('lens command', vim.lsp.commands[lens.command.command] ~= nil, lens.command.command)
  end
  check('lenses', vim.deep_equal(asked, { 'schema ' .. folder .. '/tools.gram --tool weather' }), vim.inspect(asked))
  vim.cmd('bdelete!')
end

local pieces = {
  { '😀' }, { '👩‍👩‍👧' }, { 'é' }, { 'e\204\129' }, { 'x' }, { 'tool' }, { ' ' }, { '', '' }, { '"' }, { "'" }, { '`' }, { '```', '' }, { '//' },
  { '{' }, { '}' }, { '[' }, { ']' }, { '(' }, { ')' }, { '|' }, { ',' }, { ':' }, { '::' }, { '==>' }, { '1.5' }, { '-' }, { '漢字' },
  { '[n:Tool {description: "😀 d"} | (a::Text)==>(::Text)]', '' }, { 'description: "😀"' },
}

-- place returns a column of a line that is not inside a character.
local function place(line, column)
  while column < #line and column > 0 and line:byte(column + 1) >= 0x80 and line:byte(column + 1) < 0xc0 do
    column = column - 1
  end
  return math.min(column, #line)
end

-- random_edit makes one edit, after which the text is about as long as before.
local function random_edit(buffer, length)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  local removing = math.random(3) == 1 and vim.api.nvim_buf_get_offset(buffer, #lines) > length
  local first = math.random(#lines)
  local last = removing and math.min(#lines, first + math.random(0, 2)) or first
  local from = place(lines[first], math.random(0, #lines[first]))
  local to = from
  if removing then
    to = place(lines[last], math.random(first == last and from or 0, #lines[last]))
  end
  local insert = math.random(5) == 1 and { '' } or pieces[math.random(#pieces)]
  vim.api.nvim_buf_set_text(buffer, first - 1, from, last - 1, math.max(to, first == last and from or 0), insert)
end

local function without_data(list)
  return vim.tbl_map(function(d)
    local copy = vim.deepcopy(d)
    copy.data = nil
    return copy
  end, list)
end

-- view collects the results of the server for a document.
local function view(buffer, client)
  return {
    text = ask(client, buffer, 'gram/text', {}),
    diagnostics = without_data(diagnostics(buffer)),
    symbols = ask(client, buffer, 'textDocument/documentSymbol', {}),
    formatted = ask(client, buffer, 'textDocument/formatting', { options = { tabSize = 2, insertSpaces = true } }),
  }
end

-- random_edits makes edits of a file, every other seed of one with CRLF, and
-- compares the results of the server with those after the file is opened again.
local function random_edits(seed)
  math.randomseed(seed)
  local name = 'long-' .. seed .. '.gram'
  local lines = vim.fn.readfile(folder .. '/long.gram')
  vim.fn.writefile(seed % 2 == 0 and vim.tbl_map(function(line) return line .. '\r' end, lines) or lines, folder .. '/' .. name)
  local buffer, client = open(name)
  local edits, mismatches = tonumber(vim.env.GRAM_EDITS), 0
  local length = #text_of(buffer)
  for done = 1, edits do
    random_edit(buffer, length)
    if done % 250 == 0 and ask(client, buffer, 'gram/text', {}) ~= text_of(buffer) then
      mismatches = mismatches + 1
    end
  end
  local got = view(buffer, client)
  vim.cmd('silent write!')
  vim.cmd('silent bwipeout!')
  published[vim.uri_from_fname(folder .. '/' .. name)] = nil
  buffer, client = open(name)
  local want = view(buffer, client)
  local equal = vim.deep_equal(got, want) and want.text == text_of(buffer)
  local result = ('%d mismatches after %d edits, %d bytes, %d problems'):format(mismatches, edits, #want.text, #want.diagnostics)
  check('seed ' .. seed, mismatches == 0 and equal, result .. (equal and '' or vim.inspect({ got, want })))
  vim.cmd('silent bwipeout!')
  vim.fn.delete(folder .. '/' .. name)
end

local function main()
  complete()
  lenses()
  rename()
  format()
  for seed = 1, tonumber(vim.env.GRAM_SEEDS) do
    random_edits(seed)
  end
  local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  for _, client in ipairs(clients) do
    if vim.fn.has('nvim-0.11') == 1 then client:stop() else client.stop() end
  end
  vim.wait(5000, function() return #exits == #clients end, 5)
  check('exit', #clients == 1 and vim.deep_equal(exits, { 0 }), #clients .. ' clients, ' .. vim.inspect(exits))
end

local ok, err = xpcall(main, debug.traceback)
if not ok then
  check('everything', false, err)
end
vim.cmd(failed and 'cquit!' or 'qall!')
