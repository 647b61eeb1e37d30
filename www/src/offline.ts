// The page without a network. Must not live here: what is kept, and when it is used (offline/worker.js).
import { the } from './dom.js'

/** What comes first goes first: by then the page stands. */
const LATER = 3000

/** Keeps all of a built page once it stands, for visits without a network, and says so at the foot. */
export function keepForLater(): void {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  const say = () => {
    the('offline').textContent = navigator.onLine ? 'kept for when there is no network' : 'no network: this is what was kept'
  }
  const keep = async () => {
    await serviceWorker.register('./offline.js', { updateViaCache: 'none' })
    await serviceWorker.ready
    say()
    for (const event of ['online', 'offline']) addEventListener(event, say)
  }
  // A browser or host that does not allow it takes nothing from the page.
  setTimeout(() => keep().catch(() => {}), LATER)
}
