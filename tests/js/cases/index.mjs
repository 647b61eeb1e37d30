// The one suite of every runtime: a list of tables, run one case after the other. A table is a module with
// `cases(env) -> [name, body, 'waits'?][]`; `env` holds `kit`, `sandbox`, `gateway`, `headscale`, `language` (the entries as modules), `runtime` (a word)
// and `baseURL` (the service over HTTP, with the scripted server before it, or undefined). Must not live here: cases; anything that a runtime may lack.

import { cases as cidr } from './cidr.mjs'
import { cases as client } from './client.mjs'
import { cases as entries } from './entries.mjs'
import { cases as headscale } from './headscale.mjs'
import { cases as headscaleSandbox } from './headscale-sandbox.mjs'
import { cases as hujson } from './hujson.mjs'
import { cases as language } from './language.mjs'
import { cases as misspelt } from './misspelt.mjs'
import { cases as policy } from './policy.mjs'
import { cases as same } from './same.mjs'
import { cases as thread } from './thread.mjs'
import { cases as webhook } from './webhook.mjs'

const TABLES = { entries, thread, client, cidr, headscale, headscaleSandbox, hujson, policy, language, misspelt, same, webhook }

/** The tables of these names, or every table, for an `env` as above. */
export const runCases = (env, names = Object.keys(TABLES)) => run(names.flatMap((name) => TABLES[name](env)))

/** One `{ name, error }` a case; `error` is null where it passed. A case that waits for seconds, as its third member says, does so beside those after it. */
export async function run(cases) {
  const outcomes = []
  for (const [name, body, how] of cases) {
    const one = outcome(name, body)
    outcomes.push(how === 'waits' ? one : await one)
  }
  return Promise.all(outcomes)
}

async function outcome(name, body) {
  try {
    await body()
    return { name, error: null }
  } catch (thrown) {
    return { name, error: String(thrown?.message ?? thrown) }
  }
}
