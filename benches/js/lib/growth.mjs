// How the time of a question grows with its input: each at a quarter and a half of a size, at the size, and at twice the size, in milliseconds, beside
// JSON.parse of the same text, and beside itself at half the size (2 is linear). Must not live here: the questions.

import stripJsonComments from 'strip-json-comments'

/** A size that took longer, in ms, is the last one measured of its question. */
const PATIENCE = 3_000
const LIMITS = { budget: 400, rounds: 12 }

/** A table; `costs` are `{ name, size, goal?, shape, work }`, `unread` makes a text one that has not been asked of before. */
export function growth(title, costs, { quick, unread }) {
  const steps = quick ? [1 / 16, 1 / 8] : [1 / 4, 1 / 2, 1, 2]
  return { title, unit: 'question, size', columns: ['ms', 'to JSON.parse', 'growth'], rows: costs.flatMap((cost) => rows(cost, steps, unread)) }
}

function rows(cost, steps, unread) {
  let before = null // ms at the size before
  return steps.map((step) => {
    const size = Math.round(cost.size * step)
    return {
      input: `${cost.name}: ${size.toLocaleString('en')}`,
      limits: LIMITS,
      prepare() {
        if (before > PATIENCE) throw new Error(`left out: ${Math.round(before)} ms before`)
        const { text, context } = cost.shape(size)
        const plain = stripJsonComments(text, { trailingCommas: true })
        return { value: (ms) => ms, candidates: { baseline: () => JSON.parse(plain), 'tailnet-kit': () => cost.work(unread(text), context, size) } }
      },
      shown({ baseline, 'tailnet-kit': own }) {
        if (!own || own.error) return { ms: own }
        const figures = { ms: { value: own.ms }, 'to JSON.parse': { value: own.ms / baseline.ms }, growth: before && { value: own.ms / before } }
        before = own.ms
        if (step === 1 && cost.goal?.ms) figures.ms.target = { atMost: cost.goal.ms }
        if (step === 1 && cost.goal?.ratio) figures['to JSON.parse'].target = { atMost: cost.goal.ratio }
        return figures
      },
    }
  })
}
