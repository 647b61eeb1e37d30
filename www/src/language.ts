// The language service of the editor, in a worker of its own, so that neither a key nor what is offered for it waits for an
// answer about the policy. Must not live here: how an answer looks.
import { wrap } from 'comlink'
import type { LanguageService } from 'tailnet-kit/codemirror'
import example from 'virtual:example'
import { known } from './kit.js'
import LanguageWorker from './language.worker.js?worker'

let worker: LanguageService | undefined
/** Its file is fetched by whoever calls this first. */
export const startLanguage = () => (worker ??= wrap<LanguageService>(new LanguageWorker()) as unknown as LanguageService)

type Verb = keyof LanguageService

/** Of the text that the page begins with everything that is asked unasked was answered when it was built. */
const beforehand = (verb: Verb, text: string) => (text === example.acl.text && known.devices === example.devices ? example.language[verb] : undefined)

const answered =
  (verb: Verb) =>
  (text: string, ...asked: unknown[]) =>
    beforehand(verb, text) ?? (startLanguage()[verb] as (...asked: unknown[]) => unknown)(text, ...asked)

export const service = new Proxy({}, { get: (_, verb: Verb) => answered(verb) }) as LanguageService
