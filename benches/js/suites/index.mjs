// The suites that run in every engine, by name: a new one is a line here. Must not live here: those of Node alone (`run.mjs`).

import cidr from './cidr.mjs'
import client from './client.mjs'
import hujson from './hujson.mjs'
import language from './language.mjs'
import policy from './policy.mjs'

export const suites = { hujson, cidr, policy, language, client }
