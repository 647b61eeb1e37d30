// Issues as Monaco's markers, for every model of the language. Must not live here: judgements.

const OWNER = 'tailnet-kit'
/** How many milliseconds without typing come before a check. */
const PAUSE = 300

export function marked(monaco, { languageId, ask, shape, onDiagnostics }) {
  const { editor } = monaco
  const followed = new Map()
  const follow = (model) => {
    if (model.getLanguageId() !== languageId || followed.has(model)) return
    const check = async () => {
      const [version, text] = [model.getVersionId(), model.getValue()]
      const found = await ask('diagnostics', text)
      if (followed.get(model) !== life || model.isDisposed() || model.getVersionId() !== version) return
      editor.setModelMarkers(
        model,
        OWNER,
        found.map((issue) => marker(monaco, shape, model, issue)),
      )
      onDiagnostics?.(found, text)
    }
    const later = () => {
      clearTimeout(life.timer)
      life.timer = setTimeout(check, PAUSE)
    }
    const life = { changes: model.onDidChangeContent(later) }
    followed.set(model, life)
    check()
  }
  const leave = (model) => {
    const life = followed.get(model)
    if (!life) return
    followed.delete(model)
    clearTimeout(life.timer)
    life.changes.dispose()
    if (!model.isDisposed()) editor.setModelMarkers(model, OWNER, [])
  }
  const heard = [
    editor.onDidCreateModel(follow),
    editor.onWillDisposeModel(leave),
    editor.onDidChangeModelLanguage(({ model }) => (leave(model), follow(model))),
  ]
  editor.getModels().forEach(follow)
  return { dispose: () => [...heard.map((one) => () => one.dispose()), ...[...followed.keys()].map((model) => () => leave(model))].forEach((end) => end()) }
}

const SEVERITIES = { error: 'Error', warning: 'Warning', info: 'Info' }

function marker({ MarkerSeverity }, shape, model, issue) {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = shape.range(model, issue)
  const message = [issue.message, issue.hint].filter(Boolean).join('\n')
  return {
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn,
    message,
    code: issue.code,
    source: OWNER,
    severity: MarkerSeverity[SEVERITIES[issue.severity] ?? 'Info'],
  }
}
