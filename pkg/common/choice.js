// For `tailnet-kit/slim`: a part of the kit by its own file or by the one that has it all, whichever was started. Must not live
// here: starting (`src/entry/slim.js`).

import { toError } from './errors.js'

/** What `host` gives, of the part or of the whole. `useWhole` is called once, when the whole is what was started. */
export function choice(name, part, whole, useWhole) {
  let chosen

  const started = () => {
    if (part.isRunning()) return part
    if (!whole.isRunning())
      throw toError({ code: 'not_initialized', message: `call \`init\` of tailnet-kit/slim and await it first, with the file \`${name}\` or the whole kit` })
    useWhole()
    return whole
  }
  const instance = () => (chosen ??= started())
  const canRun = () => part.isRunning() || whole.isRunning()

  return {
    call: (fn) => {
      let called
      return (...args) => (called ??= instance().call(fn))(...args)
    },
    canRun,
    hold: () => instance().hold(),
    isRunning: canRun,
    onRenewal: (forget) => [part, whole].forEach((one) => one.onRenewal(forget)),
    ready: () => instance().ready(),
    start: part.start,
  }
}
