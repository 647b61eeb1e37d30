// The lists and settings of a service in a page. Must not live here: what holds for every element.

import '/node_modules/tailnet-kit/elements/admin.js'
import { HeadscaleClient } from '/node_modules/tailnet-kit/headscale.js'
import { TailnetClient } from '/node_modules/tailnet-kit/index.js'
import { HeadscaleSandbox, Sandbox } from '/node_modules/tailnet-kit/sandbox.js'
import { all, findings, next, one, place, shown, status, texts, until } from './page-tools.mjs'
import { equal, ok } from '/cases/assert.mjs'

const clientOf = ({ baseURL, fetch }, options) => new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox', ...options })
const tailnet = () => clientOf(new Sandbox(), { dangerouslyAllowBrowser: true })
const headscale = () => new HeadscaleClient({ ...new HeadscaleSandbox(), dangerouslyAllowBrowser: true })

const names = (element) => texts(element, 'tbody th').map((words) => words.split(' ')[0])
const write = (input, words) => {
  input.value = words
  input.dispatchEvent(new Event('input'))
}
/** Presses a button of the dialog that an element shows. */
const answer = async (element, label) => (await until(() => all(element, 'dialog button').find(({ textContent }) => textContent === label))).click()

export const cases = {
  async 'devices are filtered, sorted and deleted after a question'() {
    const client = tailnet()
    const element = await shown('tailnet-devices', { client })
    const [filter] = all(element, '[part=filter]')
    write(filter, 'tag:web linux')
    equal([names(element), status(element)], [['web-1', 'web-2'], '2 of 12 devices'])
    one(element, '.sort', 'Name').click()
    equal(names(element), ['web-2', 'web-1'])
    const change = next(element, 'change')
    all(element, '[aria-label="Delete web-1"]')[0].click()
    await answer(element, 'Delete')
    const { id } = await change
    ok(!(await client.devices.list()).some((device) => device.id === id), 'it is gone at the service')
    equal(names(element), ['web-2'])
  },
  async 'a route is checked and enabled, and a draft of it is kept where the page wants'() {
    const client = tailnet()
    const drafts = new Map()
    const element = await shown('tailnet-devices', { client, drafts })
    all(element, '[aria-label^="Routes of office-router"]')[0].click()
    await until(() => all(element, '.routes .pending')[0])
    all(element, '.routes input')[1].click()
    equal(
      [...drafts].flatMap(([name, value]) => (name.startsWith('routes.') ? value : [])),
      ['192.168.10.0/24', '10.20.0.0/16', '192.168.20.0/24'],
    )
    one(element, 'button', 'Save routes').click()
    await until(() => one(element, '.routing', 'Saved.'))
    equal(all(element, '[aria-label^="Routes of office-router"]')[0].textContent, '2 active')
  },
  async 'a role is given, and a refusal is said in the row'() {
    const client = tailnet()
    const element = await shown('tailnet-users', { client })
    const role = all(element, '[aria-label="Role of carol@example.com"]')[0]
    role.value = 'auditor'
    const change = next(element, 'change')
    role.dispatchEvent(new Event('change'))
    const { id } = await change
    equal((await client.users.get(id)).role, 'auditor')
    await client.users.delete(id)
    all(element, '[aria-label="Suspend carol@example.com"]')[0].click()
    await until(() => one(element, '[role=alert]', '(404)'))
  },
  async 'a secret is shown once'() {
    const element = await shown('tailnet-keys', { client: tailnet() })
    equal(texts(element, 'tbody'), ['No keys yet.'])
    one(element, 'button', 'Create key').click()
    const secret = await until(() => all(element, '.secret code')[0]?.textContent)
    ok(secret.startsWith('tskey-auth-'), secret)
    await until(() => status(element) === '1 of 1 keys')
    one(element, 'button', 'Done').click()
    ok(!element.shadowRoot.textContent.includes(secret), 'it is gone')
  },
  async 'nameservers are checked line by line'() {
    const element = await shown('tailnet-dns', { client: tailnet() })
    write(all(element, 'textarea')[0], '1.1.1.1\n1.1.1.256')
    await until(() => one(element, '.problem', 'Line 2: 1.1.1.256'))
  },
  async 'a setting that the key may not read is not shown as off'() {
    const client = tailnet()
    const settings = { get: async () => ({ ...(await client.settings.get()), httpsEnabled: null }) }
    const element = await shown('tailnet-settings', { client: { settings } })
    ok(one(element, 'p', 'Devices get certificates for HTTPS: not for this key to read'), 'it is said')
  },
  async 'a Headscale has the same lists'() {
    const client = headscale()
    const devices = await shown('tailnet-devices', { client })
    equal(names(devices), ['ann-laptop', 'backup-1', 'ben-laptop', 'build-1', 'cleo-laptop', 'git-1'])
    const users = await shown('tailnet-users', { client })
    equal([names(users).length, all(users, 'select').length], [3, 0])
  },
  async 'a service that does not answer is said, and asked again'() {
    let isGone = true
    const { baseURL, fetch } = new Sandbox()
    const client = clientOf(
      { baseURL, fetch: (...given) => (isGone ? Promise.reject(new TypeError('gone')) : fetch(...given)) },
      { maxRetries: 0, dangerouslyAllowBrowser: true },
    )
    const element = document.createElement('tailnet-devices')
    const fault = next(element, 'fault')
    element.client = client
    place.append(element)
    equal((await fault).code, 'connection')
    ok(one(element, '[role=alert]', 'No answer from the service'), 'it is said')
    isGone = false
    one(element, 'button', 'Try again').click()
    await until(() => names(element).length === 12)
  },
  async 'axe finds nothing, light and dark'() {
    const client = tailnet()
    for (const name of ['devices', 'users', 'keys', 'dns', 'settings']) await shown(`tailnet-${name}`, { client })
    const found = {}
    for (const scheme of ['light', 'dark']) {
      document.documentElement.style.colorScheme = scheme
      found[scheme] = await findings()
    }
    document.documentElement.style.colorScheme = ''
    equal(found, { light: [], dark: [] })
  },
}
