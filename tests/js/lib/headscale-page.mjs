// The example of a dashboard of Headscale, opened: its page, its gateway, and behind that a server which holds a policy. Must not live here: what a
// policy does, what the gateway lets through.

import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { equal, ok } from '../cases/assert.mjs'
import { cookie, SECRET } from '../runners/examples.mjs'
import { serve } from './browser.mjs'
import { bundle } from './bundle.mjs'
import { opened } from './element-apps.mjs'
import { built, project } from './templates.mjs'

const KEY = 'hskey-api-abc-secret'
const rule = (source) => `// kept\n{"acls": [{"action": "accept", "src": ["${source}"], "dst": ["tag:db:5432"]}], "tagOwners": {"tag:db": ["ann@"]}}`
const users = ['ann', 'bob'].map((name, at) => ({ id: String(at + 1), name, email: `${name}@example.com` }))
const node = (id, name, more) => ({ id, name, givenName: name, ipAddresses: [`100.64.0.${id}`], tags: [], ...more })
const nodes = [
  node('7', 'laptop', { user: users[0] }),
  node('8', 'phone', { user: users[1] }),
  node('9', 'database', { tags: ['tag:db'], user: { id: '2147455555', name: 'tagged-devices' } }),
]

/** A server of release 0.30 with one policy; `held.policy` is the text that it holds. */
async function server(held) {
  const answers = {
    'GET /api/v1/openapi.yaml': () => 'openapi: 3.1.0\n',
    'GET /api/v1/user': () => ({ users }),
    'GET /api/v1/node': () => ({ nodes }),
    'GET /api/v1/policy': () => held,
    'POST /api/v1/policy/check': () => ({}),
    'PUT /api/v1/policy': async (request) => Object.assign(held, await json(request)),
  }
  const running = createServer(async (request, response) => {
    const answer = request.headers.authorization === `Bearer ${KEY}` && answers[`${request.method} ${new URL(request.url, 'http://server').pathname}`]
    if (!answer) return response.writeHead(404).end()
    const said = await answer(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(typeof said === 'string' ? said : JSON.stringify(said))
  })
  await new Promise((resolve) => running.listen(0, '127.0.0.1', resolve))
  return running
}

const at = (running) => `http://127.0.0.1:${running.address().port}`

/** `root` has the package in `node_modules`, and the examples. The page is one of Vite's template. */
export async function previewTab(root) {
  const example = join(root, 'examples/headscale')
  const app = await project(root, 'headscale', 'vanilla-ts', { 'index.html': join(example, 'index.html'), 'src/preview.ts': join(example, 'preview.ts') })
  await built(app)
  await bundle(root, 'examples/headscale/gateway.ts', 'gateway.mjs', { platform: 'node', packages: 'external' })
  const held = { policy: rule('ann@'), updatedAt: '2026-07-01T08:00:00Z' }
  const [behind, files] = [await server(held), await serve(join(app, 'dist'), {})]
  Object.assign(process.env, { SERVICE_URL: at(behind), API_KEY: KEY, SESSION_SECRET: SECRET })
  const { gateway } = await import(pathToFileURL(join(root, 'gateway.mjs')))
  /** The gateway on the page's own origin. */
  const behindPage = async (page) => {
    const [, session] = cookie().match(/session=(.*)$/)
    await page.context().addCookies([{ name: 'session', value: session, url: at(files) }])
    await page.route('**/api/headscale/**', async (route) => {
      const asked = route.request()
      const init = { method: asked.method(), headers: await asked.allHeaders(), body: asked.postDataBuffer() ?? undefined }
      const answer = await gateway(new Request(asked.url(), init))
      await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) })
    })
  }
  try {
    await opened(`${at(files)}/`, (page) => used(page, held), behindPage)
  } finally {
    behind.close()
    files.close()
  }
}

async function used(page, held) {
  const [editor, verdict, changes, save] = ['editor', 'verdict', 'changes', 'save'].map((id) => page.locator(`#${id}`))
  await verdict.getByText('The server will take it.').waitFor()
  equal(await editor.inputValue(), rule('ann@'))
  ok(await save.isDisabled(), 'nothing is to be saved')
  await editor.fill(rule('group:none'))
  await verdict.getByText('group not defined in policy: "group:none"').waitFor()
  await editor.fill(rule('bob@'))
  await changes.getByText('+ bob').waitFor()
  const told = (await changes.innerText()).split('\n').map((line) => line.replace(/@(example\.com)?/, ''))
  equal(told.sort(), ['+ bob → tag:db:5432', '- ann → tag:db:5432'])
  await save.click()
  await page.waitForFunction(() => document.getElementById('changes').textContent === '')
  equal(held.policy, rule('bob@'))
  // Somebody else writes.
  held.policy = '{}'
  await editor.fill(rule('ann@'))
  await save.click()
  await verdict.getByText('Somebody else has saved another one.').waitFor()
  equal(held.policy, '{}')
}
