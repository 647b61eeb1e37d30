// Starts the worker that caches the page. Must not live here: what is cached, and when it is used (offline/worker.js).
import { the } from './dom.js'

/** How many milliseconds to wait, so that the page itself loads first. */
const LATER = 3000

/** Caches all of a built page once it has loaded, for visits without a network, and says so at the foot. */
export function keepForLater(): void {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  const say = () => {
    the('offline').textContent = navigator.onLine ? 'Works offline' : 'Offline: saved copy'
  }
  const keep = async () => {
    await serviceWorker.register('./offline.js', { updateViaCache: 'none' })
    await serviceWorker.ready
    say()
    for (const event of ['online', 'offline']) addEventListener(event, say)
  }
  // Where a browser or host does not allow it, the page works without.
  setTimeout(() => keep().catch(() => {}), LATER)
}
