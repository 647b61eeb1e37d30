// Issues underlined, with their fixes; and by Mod-. the actions at the cursor. Must not live here: judgements.

import { forEachDiagnostic, lintKeymap, linter } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, showDialog } from '@codemirror/view'
import { applied, commanded } from './commands.js'

/** The action with this title, asked for anew: the text may have changed since the check. */
async function again(ask, view, { title }, range) {
  const { doc } = view.state
  const action = (await ask('actions', doc.toString(), range)).find((action) => action.title === title)
  if (action) applied(view, doc, action.edits)
}

function shown(ask, issue) {
  const actions = issue.fixes.map((fix) => ({ name: fix.title, apply: commanded((view, from, to) => again(ask, view, fix, { from, to })) }))
  return {
    from: issue.from,
    to: issue.to,
    severity: issue.severity,
    source: issue.code,
    message: [issue.message, issue.hint].filter(Boolean).join('\n'),
    actions,
  }
}

/** Each action in its own form, so that the submitted form tells which action it is. */
const choices =
  (actions) =>
  ({ dom: { ownerDocument } }) => {
    const list = ownerDocument.createElement('div')
    list.setAttribute('role', 'group')
    list.setAttribute('aria-label', 'Quick fixes')
    actions.forEach(({ title }, index) => {
      const form = list.appendChild(ownerDocument.createElement('form'))
      form.dataset.action = index
      const button = form.appendChild(ownerDocument.createElement('button'))
      Object.assign(button, { type: 'submit', className: 'cm-button', textContent: title })
    })
    return list
  }

async function chosen(ask, view) {
  const {
    doc,
    selection: {
      main: { from, to },
    },
  } = view.state
  const actions = await ask('actions', doc.toString(), { from, to })
  if (actions.length === 0) return view.dispatch({ effects: EditorView.announce.of('There is nothing to be done here.') })
  const form = await showDialog(view, { content: choices(actions), class: 'tailnet-actions', focus: true }).result
  if (form) applied(view, doc, actions[form.dataset.action].edits)
  view.focus()
}

/** The issues at a place, in the words of the tooltip there. */
function issuesAt(state, at) {
  const found = []
  forEachDiagnostic(state, ({ severity, message }, from, to) => from <= at && at <= to && found.push(`${severity}: ${message}`))
  return found
}

/** Has screen readers read out an issue when the cursor comes to it, by F8 or otherwise, as an underline can only be seen. */
const spoken = EditorState.transactionExtender.of(({ startState, newSelection, selection, docChanged }) => {
  if (!selection || docChanged) return null
  const before = issuesAt(startState, startState.selection.main.head)
  const here = issuesAt(startState, newSelection.main.head).filter((words) => !before.includes(words))
  return here.length > 0 ? { effects: EditorView.announce.of(here.join('\n')) } : null
})

/** Replaces the images that CodeMirror underlines with, which a strict Content-Security-Policy blocks. */
const wavy = (severity, colour) => ({ [`.cm-line .cm-lintRange-${severity}`]: { backgroundImage: 'none', textDecoration: `underline wavy ${colour}` } })

const theme = EditorView.baseTheme({
  ...wavy('error', '#d11'),
  ...wavy('warning', '#c80'),
  '.tailnet-actions': { padding: '0.4em' },
  '.tailnet-actions form': { display: 'inline-block', margin: '0.1em' },
})

export function lint(ask, onDiagnostics) {
  const source = async ({ state }) => {
    const text = state.doc.toString()
    const found = await ask('diagnostics', text)
    onDiagnostics?.(found, text)
    return found.map((issue) => shown(ask, issue))
  }
  return [linter(source, { delay: 300 }), spoken, theme, keymap.of([...lintKeymap, { key: 'Mod-.', run: commanded((view) => chosen(ask, view)) }])]
}
