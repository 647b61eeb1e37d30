// What the page of the measurements runs. Must not live here: anything but the call.

import { suites } from '../suites/index.mjs'
import { runSuite } from './suite.mjs'

export const run = (name, options) => runSuite(suites[name], options)
