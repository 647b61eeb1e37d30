// Answers of the language service in Monaco's form: lines and columns from 1. Must not live here: asking.

/** The kit's types of tokens as names for which Monaco's own themes have colours. */
export const TOKENS = {
  comment: 'comment',
  key: 'key',
  string: 'string',
  number: 'number',
  literal: 'keyword',
  punctuation: 'delimiter',
  invalid: 'invalid',
  group: 'type',
  user: 'type',
  autogroup: 'type',
  tag: 'tag',
  host: 'tag',
  ipset: 'tag',
  posture: 'tag',
  service: 'tag',
  any: 'keyword',
  address: 'number',
  port: 'number',
  protocol: 'constant',
  capability: 'annotation',
  attribute: 'attribute.name',
  operator: 'keyword',
}
export const LEGEND = [...new Set(Object.values(TOKENS))]

const COMPLETIONS = {
  key: 'Property',
  group: 'Class',
  tag: 'Enum',
  host: 'Constant',
  ipset: 'Struct',
  posture: 'Interface',
  service: 'Module',
  user: 'User',
  device: 'Variable',
  autogroup: 'Class',
  address: 'Constant',
  protocol: 'EnumMember',
  port: 'Value',
  capability: 'Interface',
  attribute: 'Field',
  operator: 'Operator',
  value: 'Value',
  rule: 'Snippet',
}
const SYMBOLS = {
  section: 'Namespace',
  rule: 'Method',
  test: 'Event',
  group: 'Class',
  tag: 'Enum',
  host: 'Constant',
  ipset: 'Struct',
  posture: 'Interface',
  service: 'Module',
}

export function shapes({ languages, Range }) {
  const range = (model, { from, to }) => Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to))
  const edit = (model, { from, to, insert }) => ({ range: range(model, { from, to }), text: insert })
  const edits = (model, version, all) => ({ edits: all.map((one) => ({ resource: model.uri, versionId: version, textEdit: edit(model, one) })) })

  const completions = (model, { items, ...place }) => ({
    // The items depend on what is typed, so Monaco must ask again with each letter.
    incomplete: true,
    suggestions: items.map(({ label, kind, insert, snippet, detail, documentation }, index) => ({
      label: detail ? { label, description: detail } : label,
      kind: languages.CompletionItemKind[COMPLETIONS[kind] ?? 'Value'],
      insertText: insert,
      ...(snippet && { insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet }),
      ...(documentation && { documentation: { value: documentation } }),
      // After a key the values are offered at once.
      ...(kind === 'key' && { command: { id: 'editor.action.triggerSuggest', title: '' } }),
      filterText: label,
      sortText: String(index).padStart(6, '0'),
      range: range(model, place),
    })),
  })
  const symbol = (model, { name, kind, detail = '', range: whole, selection, children }) => ({
    name,
    detail,
    tags: [],
    kind: languages.SymbolKind[SYMBOLS[kind] ?? 'Key'],
    range: range(model, whole),
    selectionRange: range(model, selection),
    children: children.map((child) => symbol(model, child)),
  })
  const action = (model, version, markers, { title, kind, fixes, preferred = false, edits: all }) => ({
    title,
    kind: kind === 'fix' ? 'quickfix' : 'refactor.rewrite',
    isPreferred: preferred,
    edit: edits(model, version, all),
    diagnostics: markers.filter(({ code }) => code === fixes),
  })
  return {
    range,
    edit,
    edits,
    completions,
    symbol,
    action,
    hover: (model, found) => found && { contents: [{ value: found.markdown }], range: range(model, found) },
    location: (model, found) => ({ uri: model.uri, range: range(model, found) }),
    fold: ({ start, end, kind }) => ({ start: start + 1, end: end + 1, ...(kind === 'comment' && { kind: languages.FoldingRangeKind.Comment }) }),
    inlay: (model, { at, text, tooltip }) => ({
      label: text,
      position: model.getPositionAt(at),
      kind: languages.InlayHintKind.Type,
      paddingLeft: true,
      ...(tooltip && { tooltip }),
    }),
  }
}
