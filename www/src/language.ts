// The language service of the editor, in a worker of its own, so that neither a key nor a completion waits for an answer about
// the policy. Must not live here: how an answer looks.
import { wrap } from 'comlink'
import type { LanguageService } from 'tailnet-kit/codemirror'
import example from 'virtual:example'
import { known } from './kit.js'
import LanguageWorker from './language.worker.js?worker'

let worker: LanguageService | undefined
/** The first call fetches the worker's file. */
export const startLanguage = () => (worker ??= wrap<LanguageService>(new LanguageWorker()) as unknown as LanguageService)

type Verb = keyof LanguageService

/** The answers for the text that the page begins with, to all that the editor asks by itself: they were found when the page was built. */
const beforehand = (verb: Verb, text: string) => (text === example.acl.text && known.devices === example.devices ? example.language[verb] : undefined)

const answered =
  (verb: Verb) =>
  (text: string, ...asked: unknown[]) =>
    beforehand(verb, text) ?? (startLanguage()[verb] as (...asked: unknown[]) => unknown)(text, ...asked)

export const service = new Proxy({}, { get: (_, verb: Verb) => answered(verb) }) as LanguageService
