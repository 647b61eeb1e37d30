// Answers of the language service in the protocol's form: lines and characters from 0. Must not live here: asking.

import { pageOf } from '../issues.js'

/** The kit's types of tokens as types of the protocol, for which every editor has colours. */
export const TOKENS = {
  comment: 'comment',
  key: 'property',
  string: 'string',
  number: 'number',
  literal: 'keyword',
  punctuation: 'operator',
  invalid: 'invalid',
  group: 'class',
  user: 'variable',
  autogroup: 'class',
  tag: 'enum',
  host: 'namespace',
  ipset: 'struct',
  posture: 'interface',
  service: 'namespace',
  any: 'keyword',
  address: 'number',
  port: 'number',
  protocol: 'enumMember',
  capability: 'decorator',
  attribute: 'property',
  operator: 'operator',
}
export const LEGEND = [...new Set(Object.values(TOKENS))]

/** `CompletionItemKind`. */
const COMPLETIONS = {
  key: 10,
  group: 7,
  tag: 13,
  host: 21,
  ipset: 22,
  posture: 8,
  service: 9,
  user: 6,
  device: 6,
  autogroup: 7,
  address: 21,
  protocol: 20,
  port: 12,
  capability: 8,
  attribute: 5,
  operator: 24,
  value: 12,
  rule: 15,
}
/** `SymbolKind`. */
const SYMBOLS = { section: 3, rule: 6, test: 24, group: 5, tag: 10, host: 14, ipset: 23, posture: 11, service: 2 }
/** `DocumentHighlightKind`. */
const [READ, WRITE] = [2, 3]
const SEVERITIES = { error: 1, warning: 2, info: 3 }

/** The forms for a client: what it can do decides about snippets, the outline as a tree, actions, and changes of one version. */
export function shapes({ textDocument = {}, workspace = {} }) {
  const can = {
    snippets: textDocument.completion?.completionItem?.snippetSupport,
    tree: textDocument.documentSymbol?.hierarchicalDocumentSymbolSupport,
    actions: textDocument.codeAction?.codeActionLiteralSupport,
    versions: workspace.workspaceEdit?.documentChanges,
  }
  const range = (document, { from, to }) => ({ start: document.positionAt(from), end: document.positionAt(to) })
  // What is put in ends its lines as the text does.
  const edit = (document, { from, to, insert }) => ({
    range: range(document, { from, to }),
    newText: /^[^\n]*\r\n/.test(document.getText()) ? insert.replace(/\r?\n/g, '\r\n') : insert,
  })
  // With its version, a change of a text that is another by now is refused; without, it would damage that text.
  const change = (document, edits) => {
    const { uri, version } = document
    const all = edits.map((one) => edit(document, one))
    return can.versions ? { documentChanges: [{ textDocument: { uri, version }, edits: all }] } : { changes: { [uri]: all } }
  }
  const markdown = (value) => ({ kind: 'markdown', value })
  const location = (document, found) => ({ uri: document.uri, range: range(document, found) })
  const tree = (document, { name, kind, detail, range: whole, selection, children }) => ({
    name,
    kind: SYMBOLS[kind] ?? 13,
    ...(detail && { detail }),
    range: range(document, whole),
    selectionRange: range(document, selection),
    children: children.map((child) => tree(document, child)),
  })
  const flat = (document, symbols) =>
    symbols.flatMap(({ name, kind, range: whole, children }) => [
      { name, kind: SYMBOLS[kind] ?? 13, location: location(document, whole) },
      ...flat(document, children),
    ])
  const item =
    (document, place) =>
    ({ label, kind, insert, snippet, detail, documentation }, index) => ({
      label,
      kind: COMPLETIONS[kind] ?? 12,
      filterText: label,
      sortText: String(index).padStart(6, '0'),
      ...(detail && { detail }),
      ...(documentation && { documentation: markdown(documentation) }),
      ...(snippet && can.snippets && { insertTextFormat: 2 }),
      textEdit: edit(document, { ...place, insert: snippet && !can.snippets ? insert.replace(/\$\{\d+:?([^}]*)\}/g, '$1') : insert }),
    })
  return {
    range,
    edit,
    change,
    location,
    // The items depend on what is typed, so the client must ask again with each letter.
    completions: (document, { items, from, to }) => ({ isIncomplete: true, items: items.map(item(document, { from, to })) }),
    highlight: (document, found) => ({ range: range(document, found), kind: found.definition ? WRITE : READ }),
    hover: (document, found) => ({ contents: markdown(found.markdown), range: range(document, found) }),
    symbols: (document, symbols) => (can.tree ? symbols.map((symbol) => tree(document, symbol)) : flat(document, symbols)),
    fold: ({ start, end, kind }) => ({ startLine: start, endLine: end, ...(kind === 'comment' && { kind }) }),
    /** The ranges as a chain, from the inside out; where there are none, the position itself. */
    selection: (document, position, ranges) =>
      ranges.reduceRight((parent, one) => ({ range: range(document, one), ...(parent && { parent }) }), undefined) ?? {
        range: { start: position, end: position },
      },
    inlay: (document, { at, text, tooltip }) => ({ position: document.positionAt(at), label: text, kind: 1, paddingLeft: true, ...(tooltip && { tooltip }) }),
    diagnostic: (document, issue) => ({
      range: range(document, issue),
      severity: SEVERITIES[issue.severity] ?? 3,
      code: issue.code,
      ...(pageOf(issue.code) && { codeDescription: { href: pageOf(issue.code) } }),
      source: 'tailnet-kit',
      message: [issue.message, issue.hint].filter(Boolean).join('\n'),
    }),
    action(document, { title, kind, fixes, preferred, edits }, { diagnostics, only }) {
      const its = kind === 'fix' ? 'quickfix' : 'refactor.rewrite'
      if (!can.actions || (only && !only.some((wanted) => its === wanted || its.startsWith(`${wanted}.`)))) return undefined
      return {
        title,
        kind: its,
        edit: change(document, edits),
        diagnostics: diagnostics.filter(({ code }) => code === fixes),
        ...(preferred && { isPreferred: true }),
      }
    },
  }
}
