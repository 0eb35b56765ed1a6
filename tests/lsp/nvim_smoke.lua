-- Neovim as it is shipped, headless, against the real server. Every line that it prints begins with "smoke:".
-- nvim --headless -u NONE -i NONE -S nvim_smoke.lua, with SMOKE_PYTHON and SMOKE_FILE in the environment.
-- The file has the fault `size thread`, which is mended here.

local function say(text)
  io.stdout:write("smoke: " .. text .. "\n")
end

local function fail(text)
  say("FAILED " .. text)
  vim.cmd("cquit 1")
end

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail("waiting for " .. what)
  end
end

local function main()
  local file = vim.env.SMOKE_FILE
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local client = (vim.lsp.start_client or vim.lsp.start)({
    name = "lpcl",
    cmd = { vim.env.SMOKE_PYTHON, "-m", "lsp_server" },
    root_dir = vim.fn.fnamemodify(file, ":h"),
  })
  vim.bo.filetype = "lpcl"
  vim.lsp.buf_attach_client(0, client)

  wait("findings", function()
    return #vim.diagnostic.get(0) > 0
  end)
  local found = vim.diagnostic.get(0)[1]
  say("finding " .. found.code .. " at " .. (found.lnum + 1) .. ":" .. (found.col + 1))

  local function ask(method, line, character)
    local answers = vim.lsp.buf_request_sync(0, method, {
      textDocument = vim.lsp.util.make_text_document_params(),
      position = { line = line, character = character },
    }, 20000)
    local answer = answers and answers[client]
    if not answer or answer.err then
      fail(method)
    end
    return answer.result
  end

  local hover = ask("textDocument/hover", 1, 11)
  say("hover " .. (hover.contents.value:match("on this machine") or "without the default"))
  local definition = ask("textDocument/definition", 3, 30)
  say("definition " .. #definition)
  local completion = ask("textDocument/completion", 3, 16)
  say("completion " .. (#completion.items > 3 and "several" or "too few"))
  local symbols = ask("textDocument/documentSymbol", 0, 0)
  say("symbols " .. symbols[1].name)

  vim.api.nvim_buf_set_lines(0, 2, 3, true, { "  pool workers { size threads callers queue }" })
  wait("the mended text", function()
    return #vim.diagnostic.get(0) == 0
  end)
  say("mended")
  vim.lsp.stop_client(client)
end

local sound, reason = pcall(main)
if not sound then
  fail(tostring(reason))
end
vim.cmd("quitall!")
