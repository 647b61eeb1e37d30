// Side by side: every candidate of a row in turn, again and again; the best of each counts. Whatever else the machine does
// hits all alike, and a ratio of two bests repeats where seconds do not. Must not live here: what is measured.

const SAMPLE = 8 // ms that one sample should take at least: clocks of browsers are coarse
const now = () => performance.now()

/** Keeps results alive, lest an engine drop work whose result nobody reads. */
let kept
export const keep = () => kept

async function sample(work, times) {
  const began = now()
  for (let round = 0; round < times; round++) {
    kept = work()
    if (kept instanceof Promise) kept = await kept
  }
  return (now() - began) / times
}

/** How often to repeat a piece of work for one sample. */
async function calibrate(work) {
  let times = 1
  for (;;) {
    const took = (await sample(work, times)) * times
    if (took >= SAMPLE) return times
    times = Math.ceil(times * Math.min(20, Math.max(2, SAMPLE / Math.max(took, 0.05))))
  }
}

/**
 * Milliseconds of the best sample of each candidate, or its error. `candidates` maps names to functions. A candidate that
 * has had more than its share of `budget` (ms) sits out once it has two samples; rounds end when only such are left.
 */
export async function sideBySide(candidates, { budget, rounds }) {
  const lanes = []
  for (const [name, work] of Object.entries(candidates)) {
    try {
      lanes.push({ name, work, times: await calibrate(work), best: Infinity, spent: 0, samples: 0 })
    } catch (error) {
      lanes.push({ name, error: String(error?.message ?? error) })
    }
  }
  let forth = true
  // There and back: whoever always came second would always pay for the first one's garbage.
  const order = (turn) => ((forth = !forth) ? turn : turn.toReversed())
  const running = () => lanes.filter((lane) => !lane.error && lane.samples < rounds && (lane.spent < budget || lane.samples < 2))
  for (let turn = running(); turn.length > 0; turn = running()) {
    for (const lane of order(turn)) {
      const took = await sample(lane.work, lane.times)
      lane.best = Math.min(lane.best, took)
      lane.spent += took * lane.times
      lane.samples += 1
    }
  }
  return Object.fromEntries(lanes.map(({ name, best, error }) => [name, error ? { error } : { ms: best }]))
}
