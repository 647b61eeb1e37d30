// Runs one suite: measures each row of each of its tables and gives back plain data. The same in every engine.
// Must not live here: inputs, printing.

import { sideBySide } from './measure.mjs'

/**
 * A suite is `(env) => tables`; a table has `title`, `unit` (what stands above the inputs), `columns` and `rows`; a row has `input`, `candidates`
 * (name -> function; `baseline` is the measure of ratios), `value(ms, baselineMs)`, and `target` by engine; `limits` where it takes less patience, and
 * `shown(results)` where its columns are no candidates; one that is measured otherwise has `measure`, which gives the results.
 */
export async function runSuite(suite, { engine, quick }) {
  const limits = quick ? { budget: 300, rounds: 6 } : { budget: 3000, rounds: 120 }
  const tables = []
  for (const { title, unit, columns, rows } of suite({ engine, quick })) {
    const measured = []
    for (const row of rows) {
      // Inputs are made when their turn comes: dozens of megabytes need not be there at once.
      const results = row.measure ? caught(row.measure) : await measure(row, row.limits ?? limits)
      measured.push({ input: row.input, target: row.target?.[engine] ?? null, results: row.shown ? row.shown(results) : results })
    }
    tables.push({ title, unit, columns, rows: measured })
  }
  return tables
}

/** What a row measures by itself, or why it could not. */
function caught(measure) {
  try {
    return measure()
  } catch (error) {
    return { p50: { error: String(error?.message ?? error) } }
  }
}

async function measure(row, limits) {
  try {
    const { candidates, value } = row.prepare()
    const results = await sideBySide(candidates, limits)
    for (const result of Object.values(results)) if (!result.error) result.value = value(result.ms, results.baseline?.ms)
    return results
  } catch (error) {
    return { 'tailnet-kit': { error: String(error?.message ?? error) } }
  }
}

export const ratio = (ms, baseline) => ms / baseline

/** Refuses to measure what is wrong: both must say the same. */
export function same(found, wanted, who) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${who} gives another result`)
}
