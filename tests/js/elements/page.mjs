// The elements in a page without a build, in any browser. Must not live here: cases, browsers.

import { cases as access } from './access.cases.mjs'
import { cases as admin } from './admin.cases.mjs'
import { cases as changes } from './changes.cases.mjs'
import { cases as conflict } from './conflict.cases.mjs'
import { cases as flow } from './flow.cases.mjs'
import { cases as link } from './link.cases.mjs'
import { cases as preview } from './preview.cases.mjs'
import { run } from './page-run.mjs'
import { cases as save } from './save.cases.mjs'
import { cases as share } from './share.cases.mjs'
import { cases as shared } from './shared.cases.mjs'
import { cases as tests } from './tests.cases.mjs'

await run({ shared, changes, access, flow, preview, admin, tests, conflict, save, share, link })
