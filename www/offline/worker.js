// Caches the page and all that it loads, for when there is no network. The build puts VERSION and FILES before this.
// Must not live here: anything of the page.

/** Begins the names of this page's caches; other pages of the same host have other names. */
const MINE = `tailnet-kit ${self.registration.scope} `
const NAME = MINE + VERSION
/** A host that does not answer within this many milliseconds counts as out of reach. */
const PATIENCE = 4000

/** Files with a hash in their names never change; the others are fetched again. */
const lasting = (file) => file.startsWith('assets/')

async function keep() {
  const cache = await caches.open(NAME)
  await cache.addAll(FILES.map((file) => new Request(file, { cache: lasting(file) ? 'default' : 'no-cache' })))
}

/** Deletes the caches of earlier versions, once no page of an earlier version is open. */
async function forget() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(MINE) && name !== NAME).map((name) => caches.delete(name)))
}

const kept = async (file) => (await caches.open(NAME)).match(file, { ignoreVary: true })

/** The file as the host has it now, so that nobody is left with an old page. The cached one is used only where the host cannot be reached. */
async function newest(request, file) {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), PATIENCE)
  try {
    return await fetch(request, { cache: 'no-cache', signal: limit.signal })
  } catch {
    return (await kept(file)) ?? Response.error()
  } finally {
    clearTimeout(timer)
  }
}

addEventListener('install', (event) => event.waitUntil(keep()))
addEventListener('activate', (event) => event.waitUntil(forget()))
addEventListener('fetch', (event) => {
  const { method, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || !(origin + pathname).startsWith(self.registration.scope)) return
  const name = (origin + pathname).slice(self.registration.scope.length)
  const file = name === '' || name === 'index.html' ? './' : name
  // Requests to services on the same host are left alone.
  if (!FILES.includes(file)) return
  if (lasting(file)) event.respondWith(kept(file).then((response) => response ?? fetch(event.request)))
  else event.respondWith(newest(event.request, file))
})
