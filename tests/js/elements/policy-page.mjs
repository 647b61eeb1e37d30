// `<tailnet-policy>` in a page that a bundler made, as it needs CodeMirror. Must not live here: cases.

import 'tailnet-kit/elements/policy'
import { run } from './page-run.mjs'
import { cases as policy } from './policy.cases.mjs'

await run({ policy })
