// The simplest static host: serves the built files below a path, without headers of its own. Must not live here: tests.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { here, path } from './page.mjs'

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm', txt: 'text/plain' }

/** Serves the built page; `changed` may alter a file's text, as a newer version of the page would. */
export async function plainHost({ port = 0, changed = (_name, body) => body } = {}) {
  const server = createServer(async ({ url }, response) => {
    const name = url.replace(/^\/some\/path\//, '').split('?')[0] || 'index.html'
    const body = await readFile(path(`www/dist/${name}`)).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[name.split('.').at(-1)] ?? 'text/plain' }).end(body && changed(name, body))
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve)))
  here.services.push(close)
  const origin = `http://127.0.0.1:${server.address().port}/`
  here.expected.push(origin)
  return { address: `${origin}some/path/`, port: server.address().port, close }
}
