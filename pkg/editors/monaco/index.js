// The entry `tailnet-kit/monaco`: the providers of Monaco for policies. Must not live here: how an answer looks there (`shapes.js`).

import { asker, checkOptions, formatting } from '../asker.js'
import { encoded, foldedLines } from '../placed.js'
import { marked } from './markers.js'
import { LEGEND, TOKENS, shapes } from './shapes.js'

const CONFIGURATION = {
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"' },
  ],
  // A name is one word: `group:ops`, `ann@corp.example`.
  wordPattern: /[^\s"[\]{},]+/,
}

export function register(monaco, { languageId = 'tailnet-policy', ...options } = {}) {
  checkOptions(options)
  const ask = asker(options)
  const { languages } = monaco
  if (!languages.getLanguages().some(({ id }) => id === languageId))
    languages.register({ id: languageId, extensions: ['.hujson'], aliases: ['Tailnet policy'] })
  const shape = shapes(monaco)
  const parts = { highlight, completion, hover, lint, rename, folding, inlay }
  const wanted = Object.entries(parts)
    .filter(([name]) => options[name] !== false)
    .map(([, part]) => part)
  const disposables = [
    languages.setLanguageConfiguration(languageId, CONFIGURATION),
    ...[...wanted, always].flatMap((part) => part({ monaco, languages, languageId, ask, shape, options })),
  ]
  return { dispose: () => disposables.splice(0).forEach((one) => one.dispose()) }
}

const place = (model) => (offset) => {
  const { lineNumber, column } = model.getPositionAt(offset)
  return { line: lineNumber - 1, character: column - 1 }
}
const offsets = (model, range) => ({ from: model.getOffsetAt(range.getStartPosition()), to: model.getOffsetAt(range.getEndPosition()) })

function highlight({ monaco, languages, languageId, ask }) {
  const getLegend = () => ({ tokenTypes: LEGEND, tokenModifiers: ['definition'] })
  const answer = async (model, range) => {
    const text = model.getValue()
    return { data: new Uint32Array(encoded(await ask('tokens', text, range), text, place(model), LEGEND, TOKENS)) }
  }
  // Standalone editors show semantic colours only where this option is set.
  const turnedOn = (editor) => editor.updateOptions({ 'semanticHighlighting.enabled': true })
  monaco.editor.getEditors().forEach(turnedOn)
  return [
    // A moment later: an editor that is being created takes no options yet.
    monaco.editor.onDidCreateEditor((editor) => queueMicrotask(() => turnedOn(editor))),
    languages.registerDocumentSemanticTokensProvider(languageId, {
      getLegend,
      provideDocumentSemanticTokens: (model) => answer(model, null),
      releaseDocumentSemanticTokens() {},
    }),
    languages.registerDocumentRangeSemanticTokensProvider(languageId, {
      getLegend,
      provideDocumentRangeSemanticTokens: (model, range) => answer(model, offsets(model, range)),
    }),
  ]
}

const completion = ({ languages, languageId, ask, shape }) =>
  languages.registerCompletionItemProvider(languageId, {
    // Not at a comma or an opening bracket: who breaks the line after it would accept the first completion.
    triggerCharacters: ['"', ':', '@'],
    provideCompletionItems: async (model, position) => shape.completions(model, await ask('complete', model.getValue(), model.getOffsetAt(position))),
  })

const hover = ({ languages, languageId, ask, shape }) =>
  languages.registerHoverProvider(languageId, {
    provideHover: async (model, position) => shape.hover(model, await ask('hover', model.getValue(), model.getOffsetAt(position))),
  })

const lint = ({ monaco, languages, languageId, ask, shape, options }) => [
  marked(monaco, { languageId, ask, shape, onDiagnostics: options.onDiagnostics }),
  languages.registerCodeActionProvider(languageId, {
    provideCodeActions: async (model, range, { markers }) => {
      const version = model.getVersionId()
      const actions = await ask('actions', model.getValue(), offsets(model, monaco.Range.lift(range)))
      return { actions: actions.map((action) => shape.action(model, version, markers, action)), dispose() {} }
    },
  }),
]

const rename = ({ languages, languageId, ask, shape }) =>
  languages.registerRenameProvider(languageId, {
    async resolveRenameLocation(model, position) {
      const found = await ask('renameable', model.getValue(), model.getOffsetAt(position))
      if (!found)
        return {
          range: shape.range(model, { from: model.getOffsetAt(position), to: model.getOffsetAt(position) }),
          text: '',
          rejectReason: 'Nothing here can be renamed.',
        }
      return { range: shape.range(model, found), text: found.name }
    },
    async provideRenameEdits(model, position, name) {
      const version = model.getVersionId()
      try {
        return shape.edits(model, version, await ask('rename', model.getValue(), model.getOffsetAt(position), name))
      } catch (error) {
        // Any error: its code is lost on the way from a worker.
        return { edits: [], rejectReason: error.message }
      }
    },
  })

const folding = ({ languages, languageId, ask, shape }) =>
  languages.registerFoldingRangeProvider(languageId, {
    async provideFoldingRanges(model) {
      const text = model.getValue()
      return foldedLines(await ask('folding', text), text, place(model)).map(shape.fold)
    },
  })

const inlay = ({ languages, languageId, ask, shape }) =>
  languages.registerInlayHintsProvider(languageId, {
    provideInlayHints: async (model, range) => ({
      hints: (await ask('inlay', model.getValue(), offsets(model, range))).map((inlay) => shape.inlay(model, inlay)),
      dispose() {},
    }),
  })

/** The providers without an option: they show nothing unless somebody asks. */
const always = ({ languages, languageId, ask, shape, options }) => [
  languages.registerDefinitionProvider(languageId, {
    async provideDefinition(model, position) {
      const found = await ask('definition', model.getValue(), model.getOffsetAt(position))
      return found && shape.location(model, found)
    },
  }),
  languages.registerReferenceProvider(languageId, {
    async provideReferences(model, position, { includeDeclaration }) {
      const found = await ask('references', model.getValue(), model.getOffsetAt(position))
      return found.filter(({ definition }) => includeDeclaration || !definition).map((one) => shape.location(model, one))
    },
  }),
  languages.registerDocumentSymbolProvider(languageId, {
    provideDocumentSymbols: async (model) => (await ask('symbols', model.getValue())).map((symbol) => shape.symbol(model, symbol)),
  }),
  languages.registerSelectionRangeProvider(languageId, {
    provideSelectionRanges: (model, positions) =>
      Promise.all(
        positions.map(async (position) =>
          (await ask('selection', model.getValue(), model.getOffsetAt(position))).map((range) => ({ range: shape.range(model, range) })),
        ),
      ),
  }),
  languages.registerDocumentFormattingEditProvider(languageId, {
    provideDocumentFormattingEdits: async (model) => (await formatting(model.getValue(), options.format)).map((edit) => shape.edit(model, edit)),
  }),
]
