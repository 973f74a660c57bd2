-- The language client of gram: starts gram-lsp for every gram file, and runs the
-- commands of its lenses.
local M = {}

-- The compiler, for the commands of lenses.
M.gramc = 'gramc'

-- root returns the folder of the project of a file, or else the folder of the
-- file: the server reads nothing outside of it. In a worktree .git is a file.
local function root(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local above = folder
  repeat
    if vim.loop.fs_stat(above .. '/.git') then
      return above
    end
    above = vim.fn.fnamemodify(above, ':h')
  until above == vim.fn.fnamemodify(above, ':h')
  return folder
end

-- The configuration of the server. Change it before you open the first gram file,
-- in Neovim 0.11 and later with vim.lsp.config('gram', {…}).
M.config = {
  name = 'gram',
  cmd = { 'gram-lsp' },
  filetypes = { 'gram' },
  root_dir = function(buffer, use) use(root(buffer)) end,
}

local clients = {} -- by root, for Neovim before 0.11

local function start(buffer)
  local folder = root(buffer)
  local known = clients[folder] and vim.lsp.get_client_by_id(clients[folder])
  if not known then
    clients[folder] = vim.lsp.start_client(vim.tbl_extend('force', M.config, { root_dir = folder }))
  end
  if clients[folder] then
    vim.lsp.buf_attach_client(buffer, clients[folder])
  end
  vim.bo[buffer].omnifunc = 'v:lua.vim.lsp.omnifunc' -- Neovim does so itself since 0.8
  vim.bo[buffer].tagfunc = 'v:lua.vim.lsp.tagfunc'
end

-- arguments returns the arguments of gramc for the command of a lens.
function M.arguments(command)
  local target = command.arguments[1]
  local file = vim.uri_to_fname(target.uri)
  if command.command == 'gramc.schema' then
    return { 'schema', file, '--tool', target.tool }
  end
  if command.command == 'gramc.test' then
    return { 'test', file, '--run', '^' .. target.test:gsub('[%.%*%+%?%^%$%(%)%[%]%{%}|\\]', '\\%0') .. '$' }
  end
  local verb = command.command == 'gramc.run' and 'run' or 'bind'
  local args = { verb }
  if target.library then
    local agent = vim.fn.input({ prompt = 'File of the agent: ', completion = 'file' })
    return agent ~= '' and vim.list_extend(args, { agent, '--library', file }) or nil
  end
  vim.list_extend(args, { file, '--agent', target.agent })
  if target.offline then
    table.insert(args, '--offline')
  end
  local asked = vim.fn.input(verb == 'run' and { prompt = 'Message: ' } or { prompt = 'Library: ', completion = 'file' })
  if asked == '' then
    return nil
  end
  return vim.list_extend(args, verb == 'run' and { '--', asked } or { '--library', asked })
end

-- run runs gramc for the command of a lens, in a terminal below.
local function run(command)
  local args = M.arguments(command)
  if args then
    vim.cmd('botright new')
    vim.fn.termopen(vim.list_extend({ M.gramc }, args))
  end
end

-- complete completes again after an item that inserts a key or a name and
-- requests more.
local function complete()
  if vim.fn.mode() == 'i' then
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('<C-x><C-o>', true, false, true), 'n', false)
  end
end

function M.setup()
  vim.lsp.commands['editor.action.triggerSuggest'] = complete
  for _, name in ipairs({ 'gramc.run', 'gramc.schema', 'gramc.bind', 'gramc.test' }) do
    vim.lsp.commands[name] = run
  end
  if vim.lsp.enable then
    vim.lsp.enable('gram')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'gram',
    callback = function(event) start(event.buf) end,
  })
end

return M
