// The language server: which request gets which answer, over any connection. Must not live here: how an answer looks (`shapes.js`), what is Node's.
import { asker, formatting } from '../../editors/asker.js'
import { encoded, foldedLines } from '../../editors/placed.js'
import { ResponseError, TextDocument, TextDocuments } from '../vendor/lsp.js'
import { dialectNamed } from '../named.js'
import { LEGEND, TOKENS, shapes } from './shapes.js'

const INVALID_PARAMS = -32602
/** How many milliseconds without typing come before a check. */
const PAUSE = 150

const CAPABILITIES = {
  textDocumentSync: 2,
  // Not at a comma or an opening bracket: who breaks the line after it would accept the first completion.
  completionProvider: { triggerCharacters: ['"', ':', '@'] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: LEGEND, tokenModifiers: ['definition'] }, full: true, range: true },
  inlayHintProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix', 'refactor.rewrite'] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
}

/** Shows a message to whoever sits before the editor. */
export const complaint = (connection) => (message) => connection.sendNotification('window/showMessage', { type: 1, message })

/** Serves on this connection; `world` is what is known beside the texts (`known.js`). */
export function serve({ connection, world, dialect }) {
  const documents = new TextDocuments(TextDocument)
  const ask = (verb, document, ...asked) =>
    asker({ context: world.context, dialect: dialect ?? dialectNamed(document.uri) })(verb, document.getText(), ...asked)
  let shape = shapes({})
  let client = {}
  connection.onInitialize(({ initializationOptions, workspaceFolders, rootUri, capabilities }) => {
    world.within(workspaceFolders?.[0]?.uri ?? rootUri, initializationOptions?.devices)
    shape = shapes(capabilities)
    client = capabilities
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
    return document ? (await ask('inlay', document, offsets(document, params.range))).map((inlay) => shape.inlay(document, inlay)) : []
  })
  const again = checking({ connection, documents, ask, at, shape: () => shape, client: () => client })
  watching({ connection, world, client: () => client, again })
  documents.listen(connection)
  connection.listen()
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
    on(event, async (document, params, shape) => answer(document, await ask(verb, document, document.offsetAt(params.position)), shape, params), none)
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
  at('onDocumentHighlight', 'references', (document, found, shape) => found.map((one) => shape.highlight(document, one)), [])
  on('onDocumentSymbol', async (document, _, shape) => shape.symbols(document, await ask('symbols', document)), [])
  on(
    'onFoldingRanges',
    async (document, _, shape) => {
      const text = document.getText()
      return foldedLines(await ask('folding', document), text, (offset) => document.positionAt(offset)).map(shape.fold)
    },
    [],
  )
  on(
    'onSelectionRanges',
    (document, { positions }, shape) =>
      Promise.all(positions.map(async (position) => shape.selection(document, position, await ask('selection', document, document.offsetAt(position))))),
    [],
  )
}

/** Requests that change the text. */
function changing({ on, ask }) {
  on('onPrepareRename', async (document, { position }, shape) => {
    const found = await ask('renameable', document, document.offsetAt(position))
    return found && { range: shape.range(document, found), placeholder: found.name }
  })
  on('onRenameRequest', async (document, { position, newName }, shape) => {
    try {
      return shape.change(document, await ask('rename', document, document.offsetAt(position), newName))
    } catch (error) {
      throw error?.code === 'invalid_argument' ? new ResponseError(INVALID_PARAMS, error.message) : error
    }
  })
  on(
    'onCodeAction',
    async (document, { range, context }, shape) =>
      (await ask('actions', document, offsets(document, range))).map((action) => shape.action(document, action, context)).filter(Boolean),
    [],
  )
  on('onDocumentFormatting', async (document, _, shape) => (await formatting(document.getText())).map((edit) => shape.edit(document, edit)), [])
  on(
    'onDocumentRangeFormatting',
    async (document, { range }, shape) => within(document, range, await formatting(document.getText())).map((edit) => shape.edit(document, edit)),
    [],
  )
}

/** The edits that lie in a range: each is one run of blanks and commas, so that some without the others are as right as all of them. */
function within(document, range, edits) {
  const { from, to } = offsets(document, range)
  return edits.filter((edit) => from <= edit.from && edit.to <= to)
}

async function tokens(ask, document, range) {
  if (!document) return { data: [] }
  const text = document.getText()
  const found = await ask('tokens', document, range ? offsets(document, range) : null)
  return { data: encoded(found, text, (offset) => document.positionAt(offset), LEGEND, TOKENS) }
}

/**
 * The issues of each document: on request, where the editor asks for them, else sent a moment after the document was opened or changed.
 * Returns what has all documents checked again.
 */
function checking({ connection, documents, ask, at, shape, client }) {
  const timers = new Map()
  const isAsked = () => client().textDocument?.diagnostic !== undefined
  const issues = async (document) => (await ask('diagnostics', document)).map((issue) => shape().diagnostic(document, issue))
  const forget = ({ uri }) => {
    clearTimeout(timers.get(uri))
    timers.delete(uri)
  }
  const check = async (document) => {
    const { uri, version } = document
    const diagnostics = await issues(document)
    if (documents.get(uri)?.version === version) connection.sendDiagnostics({ uri, version, diagnostics })
  }
  const soon = ({ uri }) => {
    forget({ uri })
    const later = () => check(at({ textDocument: { uri } })).catch(failed(connection))
    timers.set(uri, setTimeout(later, PAUSE))
  }
  connection.languages.diagnostics.on(async (params) => {
    const document = at(params)
    return { kind: 'full', items: document ? await issues(document) : [] }
  })
  documents.onDidChangeContent(({ document }) => isAsked() || soon(document))
  documents.onDidClose(({ document }) => {
    forget(document)
    if (!isAsked()) connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
  })
  return () => {
    if (!isAsked()) documents.all().forEach(soon)
    else if (client().workspace?.diagnostics?.refreshSupport) connection.languages.diagnostics.refresh().catch(failed(connection))
  }
}

/** Has the editor watch the file of devices, where it can: issues and remarks follow the file, and not only the next letter. */
function watching({ connection, world, client, again }) {
  connection.onInitialized(() => {
    const { dynamicRegistration, relativePatternSupport } = client().workspace?.didChangeWatchedFiles ?? {}
    const watchers = dynamicRegistration ? world.watchers(relativePatternSupport) : []
    if (watchers.length === 0) return
    const registrations = [{ id: 'devices', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } }]
    connection.sendRequest('client/registerCapability', { registrations }).catch(failed(connection))
  })
  connection.onDidChangeWatchedFiles(() => {
    again()
    if (client().workspace?.inlayHint?.refreshSupport) connection.languages.inlayHint.refresh().catch(failed(connection))
  })
}
