// A page without any build, in Chromium. Must not live here: what is asserted.

import { inChromium } from '../lib/browser.mjs'
import { plainPage } from '../lib/plain-page.mjs'

export default async (env) => inChromium(...(await plainPage(env)))
