// Waiting for what comes in its own time. Must not live here: what is waited for.

/** Waits until `ask()` returns something for which `is` is true; resolves with it. A busy machine needs many times as long as a quiet one. */
export async function until(ask, is = Boolean, milliseconds = 60_000) {
  const end = Date.now() + milliseconds
  for (;;) {
    const found = await ask()
    if (is(found)) return found
    if (Date.now() > end) throw new Error(`waited in vain; at last there was ${JSON.stringify(found)}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}
