// A seeded source of numbers, so that every run and every engine measures the same inputs. Must not live here: what is made of them.

/** Marsaglia's xorshift32: numbers in [0, 1) from a seed that is not 0. */
export function random(seed) {
  let state = seed >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return { next, below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] }
}
