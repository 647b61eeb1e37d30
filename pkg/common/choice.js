// For `tailnet-kit/slim`: a part of the kit runs in its own file or in the file of the whole kit, whichever was started. Must not
// live here: starting (`src/entry/slim.js`).

import { toError } from './errors.js'

/** The same interface as `host` has, for the part or the whole. `useWhole` is called once, if the whole was started. */
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
