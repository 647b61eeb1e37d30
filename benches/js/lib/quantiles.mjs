// How long the answers to many different questions take, the slow ones too: somebody who types waits for each. Must not live here: the questions.

/** Each is asked so often, and the best of it counts: whatever else the machine does is no matter of the question. */
const TRIES = 5
/** So many are asked however long it takes; all of them, and again, within the budget in milliseconds. */
const LEAST = 20
const BUDGET = 6_000

/** The milliseconds of up to `most` questions in which half of them (`p50`) and all but a twentieth (`p95`) are answered; `ask(index)` asks one. */
export function quantiles(ask, most) {
  const times = []
  const end = performance.now() + BUDGET
  for (let turn = 0; turn < TRIES; turn++) {
    // The same question never twice in a row: nothing could have learnt from the one before.
    for (let index = 0; index < (turn === 0 ? most : times.length); index++) {
      if (performance.now() > end && (turn > 1 || index >= LEAST)) break
      times[index] = Math.min(
        times[index] ?? Infinity,
        milliseconds(() => ask(index)),
      )
    }
  }
  times.sort((a, b) => a - b)
  const within = (share) => ({ value: times[Math.min(times.length - 1, Math.floor(times.length * share))] })
  return { p50: within(0.5), p95: within(0.95) }
}

function milliseconds(work) {
  const began = performance.now()
  work()
  return performance.now() - began
}
