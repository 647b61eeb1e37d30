// A page without any build, in Firefox. Must not live here: what is asserted.

import { inFirefox } from '../lib/firefox.mjs'
import { plainPage } from '../lib/plain-page.mjs'

export default async (env) => inFirefox(...(await plainPage(env)))
