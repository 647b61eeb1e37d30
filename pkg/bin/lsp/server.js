// The language server: which request gets which answer. Must not live here: how an answer looks (`shapes.js`).
import { asker, formatting } from '../../editors/asker.js'
import { encoded, foldedLines } from '../../editors/placed.js'
import { ResponseError, TextDocument, TextDocuments, createConnection } from '../vendor/lsp.js'
import { known } from './known.js'
import { LEGEND, TOKENS, shapes } from './shapes.js'

const INVALID_PARAMS = -32602
/** How many milliseconds without typing come before a check. */
const PAUSE = 150

const CAPABILITIES = {
  textDocumentSync: 1,
  // Not at a comma or an opening bracket: who breaks the line after it would accept the first completion.
  completionProvider: { triggerCharacters: ['"', ':', '@'] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: LEGEND, tokenModifiers: ['definition'] }, full: true, range: true },
  inlayHintProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix', 'refactor.rewrite'] },
  documentFormattingProvider: true,
}

/** Serves on standard input and output; the process ends when the editor says so. */
export function serve(devices) {
  const connection = createConnection(process.stdin, process.stdout)
  const documents = new TextDocuments(TextDocument)
  const world = known(devices, (message) => connection.sendNotification('window/showMessage', { type: 1, message }))
  const ask = asker({ context: world.context })
  let shape = shapes({})
  let workspace = {}
  connection.onInitialize(({ initializationOptions, workspaceFolders, rootUri, capabilities }) => {
    world.within(workspaceFolders?.[0]?.uri ?? rootUri, initializationOptions?.devices)
    shape = shapes(capabilities)
    workspace = capabilities.workspace ?? {}
    return { capabilities: CAPABILITIES, serverInfo: { name: 'tailnet-kit' } }
  })
  const at = opened(documents)
  const on = (event, answer, none = null) =>
    connection[event](async (params) => {
      const document = at(params)
      return document ? answer(document, params, shape) : none
    })
  reading({ on, ask })
  changing({ on, ask })
  connection.languages.semanticTokens.on((params) => tokens(ask, at(params)))
  connection.languages.semanticTokens.onRange((params) => tokens(ask, at(params), params.range))
  connection.languages.inlayHint.on(async (params) => {
    const document = at(params)
    return document ? (await ask('inlay', document.getText(), offsets(document, params.range))).map((inlay) => shape.inlay(document, inlay)) : []
  })
  const soon = checking({ connection, documents, ask, shape: () => shape })
  watching({ connection, world, workspace: () => workspace, again: () => documents.all().forEach(soon) })
  documents.listen(connection)
  connection.listen()
  // The connection ends the process, with the exit code that the protocol asks for.
  return new Promise(() => {})
}

/** Writes to the editor's log: a fault in an answer that nobody waits for must not end the process. */
const failed = (connection) => (error) => connection.console.error(String(error?.message ?? error))

/** The document of a request as it is now: the one that is kept changes while an answer is sought, and its places and version with it. */
const opened =
  (documents) =>
  ({ textDocument: { uri } }) => {
    const document = documents.get(uri)
    return document && TextDocument.create(uri, document.languageId, document.version, document.getText())
  }

const offsets = (document, { start, end }) => ({ from: document.offsetAt(start), to: document.offsetAt(end) })

/** Requests that do not change the text. */
function reading({ on, ask }) {
  const at = (event, verb, answer, none) =>
    on(event, async (document, params, shape) => answer(document, await ask(verb, document.getText(), document.offsetAt(params.position)), shape, params), none)
  at('onCompletion', 'complete', (document, found, shape) => shape.completions(document, found), [])
  at('onHover', 'hover', (document, found, shape) => found && shape.hover(document, found))
  at('onDefinition', 'definition', (document, found, shape) => found && shape.location(document, found))
  at(
    'onReferences',
    'references',
    (document, found, shape, { context }) =>
      found.filter(({ definition }) => context.includeDeclaration || !definition).map((one) => shape.location(document, one)),
    [],
  )
  on('onDocumentSymbol', async (document, _, shape) => shape.symbols(document, await ask('symbols', document.getText())), [])
  on(
    'onFoldingRanges',
    async (document, _, shape) => {
      const text = document.getText()
      return foldedLines(await ask('folding', text), text, (offset) => document.positionAt(offset)).map(shape.fold)
    },
    [],
  )
  on(
    'onSelectionRanges',
    (document, { positions }, shape) =>
      Promise.all(
        positions.map(async (position) => shape.selection(document, position, await ask('selection', document.getText(), document.offsetAt(position)))),
      ),
    [],
  )
}

/** Requests that change the text. */
function changing({ on, ask }) {
  on('onPrepareRename', async (document, { position }, shape) => {
    const found = await ask('renameable', document.getText(), document.offsetAt(position))
    return found && { range: shape.range(document, found), placeholder: found.name }
  })
  on('onRenameRequest', async (document, { position, newName }, shape) => {
    try {
      return shape.change(document, await ask('rename', document.getText(), document.offsetAt(position), newName))
    } catch (error) {
      throw error?.code === 'invalid_argument' ? new ResponseError(INVALID_PARAMS, error.message) : error
    }
  })
  on(
    'onCodeAction',
    async (document, { range, context }, shape) =>
      (await ask('actions', document.getText(), offsets(document, range))).map((action) => shape.action(document, action, context)).filter(Boolean),
    [],
  )
  on('onDocumentFormatting', async (document, _, shape) => (await formatting(document.getText())).map((edit) => shape.edit(document, edit)), [])
}

async function tokens(ask, document, range) {
  if (!document) return { data: [] }
  const text = document.getText()
  const found = await ask('tokens', text, range ? offsets(document, range) : null)
  return { data: encoded(found, text, (offset) => document.positionAt(offset), LEGEND, TOKENS) }
}

/** Sends the issues of each document, a moment after it was opened or changed; returns what has a document checked again. */
function checking({ connection, documents, ask, shape }) {
  const timers = new Map()
  const forget = ({ uri }) => {
    clearTimeout(timers.get(uri))
    timers.delete(uri)
  }
  const check = async (document) => {
    const { uri, version } = document
    const found = await ask('diagnostics', document.getText())
    const now = documents.get(uri)
    if (now?.version === version) connection.sendDiagnostics({ uri, version, diagnostics: found.map((issue) => shape().diagnostic(now, issue)) })
  }
  const soon = (document) => {
    forget(document)
    timers.set(
      document.uri,
      setTimeout(() => check(document).catch(failed(connection)), PAUSE),
    )
  }
  documents.onDidChangeContent(({ document }) => soon(document))
  documents.onDidClose(({ document }) => {
    forget(document)
    connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
  })
  return soon
}

/** Has the editor watch the file of devices, where it can: issues and remarks follow the file, and not only the next letter. */
function watching({ connection, world, workspace, again }) {
  connection.onInitialized(() => {
    const { dynamicRegistration, relativePatternSupport } = workspace().didChangeWatchedFiles ?? {}
    const watchers = dynamicRegistration ? world.watchers(relativePatternSupport) : []
    if (watchers.length === 0) return
    const registrations = [{ id: 'devices', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } }]
    connection.sendRequest('client/registerCapability', { registrations }).catch(failed(connection))
  })
  connection.onDidChangeWatchedFiles(() => {
    again()
    if (workspace().inlayHint?.refreshSupport) connection.languages.inlayHint.refresh().catch(failed(connection))
  })
}
