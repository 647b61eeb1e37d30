// What each code of a finding means, and where its page is. Must not live here: the pages themselves (`docs/issues`), findings.
import { ADDRESS, PAGES } from './pages.js'

/** By code: `what` is the case, and `why` it matters, in plain words with Markdown's backticks. */
export const ISSUES = PAGES

/** The address of the page of a code; undefined for a code that has none. */
export const pageOf = (code) => (Object.hasOwn(PAGES, code) ? `${ADDRESS}/${code}.md` : undefined)
