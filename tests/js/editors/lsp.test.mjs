// `tailnet-kit lsp` over stdio, with the protocol's own client. Must not live here: what the service answers.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { CONTEXT, FAULTY, POLICY } from './policy.mjs'
import { tool, until } from './tools.mjs'

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = tool('vscode-languageserver-protocol/node')
const workspace = mkdtempSync(join(tmpdir(), 'lsp-'))
const devices = join(workspace, 'devices.json')
const uri = pathToFileURL(join(workspace, 'policy.hujson')).href
const textDocument = { uri }

const CAPABILITIES = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } },
  },
  workspace: {
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    inlayHint: { refreshSupport: true },
  },
}

function started(...args) {
  const child = spawn(process.execPath, ['node_modules/tailnet-kit/bin/tailnet-kit.js', 'lsp', ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  connection.listen()
  return { child, connection }
}

let server,
  about,
  version = 1
const [diagnosed, told, registered, refreshed] = [[], [], [], []]
before(async () => {
  writeFileSync(devices, JSON.stringify(CONTEXT))
  server = started()
  server.connection.onNotification('textDocument/publishDiagnostics', (params) => diagnosed.push(params))
  server.connection.onNotification('window/showMessage', ({ message }) => told.push(message))
  server.connection.onRequest('client/registerCapability', ({ registrations }) => void registered.push(...registrations))
  server.connection.onRequest('workspace/inlayHint/refresh', () => void refreshed.push(true))
  about = await server.connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: CAPABILITIES,
    workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: 'policies' }],
    initializationOptions: { devices: 'devices.json' },
  })
  await server.connection.sendNotification('initialized', {})
  await server.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'tailnet-policy', version, text: POLICY } })
})
after(() => server.child.kill())

const asked = (method, params) => server.connection.sendRequest(`textDocument/${method}`, { textDocument, ...params })
const change = (text) => server.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version: ++version }, contentChanges: [{ text }] })

function place(text, words, into = 1) {
  const lines = text.slice(0, text.indexOf(words) + into).split('\n')
  return { line: lines.length - 1, character: lines.at(-1).length }
}
const offset = (text, { line, character }) =>
  text
    .split('\n')
    .slice(0, line)
    .reduce((sum, each) => sum + each.length + 1, 0) + character
const cut = (text, { start, end }) => text.slice(offset(text, start), offset(text, end))
const edited = (text, edits) =>
  edits
    .toSorted((a, b) => offset(text, b.range.start) - offset(text, a.range.start))
    .reduce((now, { range, newText }) => now.slice(0, offset(text, range.start)) + newText + now.slice(offset(text, range.end)), text)

/** The edits of a change, which is one of the version that is open. */
function ofThisVersion({ documentChanges: [{ textDocument, edits }], ...rest }) {
  assert.deepEqual([textDocument, rest], [{ uri, version }, {}])
  return edits
}

test('it says what it can do', () => {
  const { capabilities, serverInfo } = about
  assert.equal(serverInfo.name, 'tailnet-kit')
  assert.equal(capabilities.textDocumentSync, 2)
  for (const name of [
    'completion',
    'hover',
    'definition',
    'references',
    'rename',
    'documentSymbol',
    'foldingRange',
    'selectionRange',
    'semanticTokens',
    'inlayHint',
    'codeAction',
    'documentFormatting',
    'documentRangeFormatting',
    'documentHighlight',
    'diagnostic',
  ])
    assert.ok(capabilities[`${name}Provider`], name)
})

test('a word is completed in its range, in the order of the service', async () => {
  const text = POLICY.replace('"src": ["group:dev"]', '"src": ["ta"]')
  await change(text)
  const { items, isIncomplete } = await asked('completion', { position: place(text, '"ta"', 3) })
  await change(POLICY)
  const item = items.find(({ label }) => label === 'tag:db')
  assert.deepEqual([cut(text, item.textEdit.range), item.textEdit.newText, isIncomplete], ['ta', 'tag:db', true])
  assert.deepEqual(
    items.map(({ sortText }) => sortText),
    items.map(({ sortText }) => sortText).toSorted(),
  )
})

test('a word says what it means, where it is defined and where it is used', async () => {
  const position = place(POLICY, 'group:dev"], "dst"', 2)
  const hover = await asked('hover', { position })
  assert.match(hover.contents.value, /ann@example\.com/)
  assert.equal(cut(POLICY, hover.range), 'group:dev')
  const definition = await asked('definition', { position })
  assert.equal(offset(POLICY, definition.range.start), POLICY.indexOf('group:dev'))
  const references = await asked('references', { position, context: { includeDeclaration: true } })
  assert.equal(references.length, 3)
  assert.equal((await asked('references', { position, context: { includeDeclaration: false } })).length, 2)
})

test('a name is renamed, and one that cannot be is an error of the request', async () => {
  const position = place(POLICY, 'tag:db:22', 2)
  assert.equal((await asked('prepareRename', { position })).placeholder, 'tag:db')
  assert.equal(edited(POLICY, ofThisVersion(await asked('rename', { position, newName: 'tag:store' }))), POLICY.replaceAll('tag:db', 'tag:store'))
  await assert.rejects(asked('rename', { position, newName: 'tag:1' }), { code: -32602, message: /not a valid tag/ })
  assert.equal(await asked('prepareRename', { position: { line: 0, character: 0 } }), null)
})

test('outline, folds and selections', async () => {
  assert.deepEqual(
    (await asked('documentSymbol')).map(({ name }) => name),
    ['groups', 'tagOwners', 'acls'],
  )
  const folds = await asked('foldingRange')
  const line = place(POLICY, '"acls"').line
  assert.ok(
    folds.some(({ startLine, endLine }) => startLine === line && endLine === line + 1),
    JSON.stringify(folds),
  )
  let [range] = await asked('selectionRange', { positions: [place(POLICY, 'group:dev"], "dst"', 2)] })
  assert.equal(cut(POLICY, range.range), 'group:dev')
  while (range.parent) range = range.parent
  assert.equal(cut(POLICY, range.range).trim(), POLICY.trim())
})

/** The words of some types, by the numbers of the protocol. */
function words(text, { data }) {
  const { tokenTypes } = about.capabilities.semanticTokensProvider.legend
  const found = []
  for (let [at, line, character] = [0, 0, 0]; at < data.length; at += 5) {
    const [lines, characters, length, type] = data.slice(at, at + 4)
    character = lines === 0 ? character + characters : characters
    line += lines
    const start = offset(text, { line, character })
    found.push([text.slice(start, start + length), tokenTypes[type]])
  }
  return found
}

test('tokens have their types, over the text and in a range', async () => {
  const all = words(POLICY, await asked('semanticTokens/full'))
  assert.ok(
    all.some(([word, type]) => word === 'group:dev' && type === 'class'),
    JSON.stringify(all),
  )
  assert.ok(all.some(([word, type]) => word === '// Who may.' && type === 'comment'))
  const line = place(POLICY, '// Who').line
  const some = words(POLICY, await asked('semanticTokens/range', { range: { start: { line, character: 0 }, end: { line: line + 1, character: 0 } } }))
  assert.deepEqual(some, [['// Who may.', 'comment']])
})

test('remarks know the devices of the workspace', async () => {
  const hints = await asked('inlayHint', { range: { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } } })
  assert.ok(
    hints.some(({ label, position }) => label === '1 device' && position.line === place(POLICY, 'tag:db:22').line),
    JSON.stringify(hints),
  )
})

test('issues come by themselves, with actions that remove them', async () => {
  await change(FAULTY)
  const {
    diagnostics: [issue],
  } = await until(() => diagnosed.findLast((one) => one.version === version))
  assert.deepEqual([issue.code, issue.source, issue.severity], ['unknown_tag', 'tailnet-kit', 1])
  assert.match(issue.codeDescription.href, /^https:\/\/.*\/docs\/issues\/unknown_tag\.md$/)
  const [action] = await asked('codeAction', { range: issue.range, context: { diagnostics: [issue], only: ['quickfix'] } })
  assert.deepEqual([action.kind, action.diagnostics], ['quickfix', [issue]])
  await change(edited(FAULTY, ofThisVersion(action.edit)))
  await until(() => diagnosed.some((one) => one.version === version && !one.diagnostics.some(({ code }) => code === 'unknown_tag')))
})

test('a text is formatted and keeps how its lines end', async () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['{"groups": {}, // so', '}'].join(end)
    await change(text)
    const edits = await asked('formatting', { options: { tabSize: 4, insertSpaces: false } })
    assert.equal(edited(text, edits), ['{', '\t"groups": {}, // so', '}', ''].join(end))
  }
  await change('{"groups"')
  assert.deepEqual(await asked('formatting', { options: {} }), [])
})

test('a part of a text is formatted, and the rest left alone', async () => {
  const text = '{\n"groups":   {},\n"ipsets":   {},\n}\n'
  await change(text)
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 15 } }
  assert.equal(edited(text, await asked('rangeFormatting', { range, options: {} })), '{\n"groups":   {},\n"ipsets": {},\n}\n')
})

test('a change of a few letters is the text with these letters', async () => {
  await change(POLICY)
  const start = place(POLICY, 'group:dev"], "dst"', 6)
  const range = { start, end: { ...start, character: start.character + 3 } }
  const contentChanges = [
    { range, text: 'x' },
    { range: { start, end: { ...start, character: start.character + 1 } }, text: 'sre' },
  ]
  await server.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version: ++version }, contentChanges })
  const { diagnostics } = await until(() => diagnosed.findLast((one) => one.version === version))
  assert.ok(
    diagnostics.some(({ code, message }) => code === 'unknown_group' && message.includes('group:sre')),
    JSON.stringify(diagnostics),
  )
})

test('the uses of a name are marked, its definition as such', async () => {
  await change(POLICY)
  const found = await asked('documentHighlight', { position: place(POLICY, 'group:dev"], "dst"', 2) })
  assert.deepEqual(
    found.map(({ range, kind }) => [cut(POLICY, range), kind]),
    [
      ['group:dev', 3],
      ['group:dev', 2],
      ['group:dev', 2],
    ],
  )
})

test('a file of devices that cannot be read is reported once, and read again when it has changed', async () => {
  const hover = () => asked('hover', { position: place(POLICY, 'tag:db:22', 2) })
  await change(POLICY)
  writeFileSync(devices, '{')
  utimesSync(devices, 1, 1)
  // As an editor does that has opened a file: several questions at once, and later more.
  await Promise.all([hover(), hover(), hover(), asked('foldingRange', {})])
  await hover()
  await until(() => told.length > 0)
  writeFileSync(devices, JSON.stringify(CONTEXT))
  assert.ok(await hover())
  assert.equal(told.length, 1)
  assert.match(told[0], /devices\.json: not JSON/)
})

test('a file of devices that is just being written is not reported', async () => {
  const before = told.length
  await change(POLICY)
  writeFileSync(devices, '')
  const hover = asked('hover', { position: place(POLICY, 'tag:db:22', 2) })
  await new Promise((done) => setTimeout(done, 50))
  writeFileSync(devices, JSON.stringify(CONTEXT))
  assert.match(JSON.stringify(await hover), /store\.example\.ts\.net/)
  assert.equal(told.length, before)
})

test('a file of devices that is no context is reported, and answers go on without it', async () => {
  const hover = () => asked('hover', { position: place(POLICY, 'tag:db:22', 2) })
  await change(POLICY)
  writeFileSync(devices, '{"devices": 3}')
  utimesSync(devices, 2, 2)
  assert.ok(await hover())
  assert.equal(told.at(-1), `${devices}: \`devices\` must be a list`)
  writeFileSync(devices, JSON.stringify(CONTEXT))
  assert.ok(await hover())
})

test('the editor watches the file of devices, and a change of it is shown without a new letter', async () => {
  const [{ method, registerOptions }] = await until(() => registered.length > 0 && registered)
  assert.equal(method, 'workspace/didChangeWatchedFiles')
  assert.deepEqual(registerOptions.watchers, [{ globPattern: { baseUri: pathToFileURL(workspace).href, pattern: 'devices.json' } }])
  await change(POLICY)
  await until(() => diagnosed.some((one) => one.version === version))
  const before = diagnosed.length
  await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: pathToFileURL(devices).href, type: 2 }] })
  await until(() => refreshed.length === 1 && diagnosed.length > before)
  assert.equal(diagnosed.at(-1).version, version)
})

test('a change asked for before a text came is one of the version before', async () => {
  await change(POLICY)
  const before = version
  const renamed = asked('rename', { position: place(POLICY, 'tag:db:22', 2), newName: 'tag:store' })
  await change(`\n\n${POLICY}`)
  const { documentChanges } = await renamed
  assert.equal(documentChanges[0].textDocument.version, before)
  assert.equal(edited(POLICY, documentChanges[0].edits), POLICY.replaceAll('tag:db', 'tag:store'))
})

test('a document that is not open has no answers, and a closed one no issues', async () => {
  await server.connection.sendNotification('textDocument/didClose', { textDocument })
  await until(() => diagnosed.at(-1).diagnostics.length === 0)
  assert.equal(await asked('hover', { position: { line: 0, character: 0 } }), null)
  assert.deepEqual(await asked('semanticTokens/full'), { data: [] })
})

test('a client that knows no versions of a change gets it without', async () => {
  const { child, connection } = started()
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'tailnet-policy', version: 1, text: POLICY } })
  const { changes } = await connection.sendRequest('textDocument/rename', { textDocument, position: place(POLICY, 'tag:db:22', 2), newName: 'tag:store' })
  assert.equal(edited(POLICY, changes[uri]), POLICY.replaceAll('tag:db', 'tag:store'))
  connection.dispose()
  child.kill()
})

test('an editor that asks for issues gets them when it asks, and is told to ask again', async () => {
  const { child, connection } = started('--devices', devices)
  const [sent, again] = [[], []]
  connection.onNotification('textDocument/publishDiagnostics', (params) => sent.push(params))
  connection.onRequest('workspace/diagnostic/refresh', () => void again.push(true))
  const capabilities = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities })
  await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'tailnet-policy', version: 1, text: FAULTY } })
  const { kind, items } = await connection.sendRequest('textDocument/diagnostic', { textDocument })
  assert.deepEqual([kind, items.map(({ code }) => code)], ['full', ['unknown_tag']])
  await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: pathToFileURL(devices).href, type: 2 }] })
  await until(() => again.length === 1)
  const unknown = { uri: `${uri}.other` }
  assert.deepEqual(await connection.sendRequest('textDocument/diagnostic', { textDocument: unknown }), { kind: 'full', items: [] })
  assert.deepEqual(sent, [])
  connection.dispose()
  child.kill()
})

test('it ends as the protocol says, and accepts the arguments that editors pass', async () => {
  const { child, connection } = started('--stdio', `--clientProcessId=${process.pid}`, '--devices', devices)
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  await connection.sendRequest('shutdown')
  const ended = once(child, 'exit')
  await connection.sendNotification('exit')
  assert.deepEqual(await ended, [0, null])
  connection.dispose()
})
