// `<tailnet-save>` in a page, with a sandbox of each service. Must not live here: how texts are merged (`conflict.cases.mjs`).

import { all, findings, next, one, place, texts, until } from './page-tools.mjs'
import { equal, ok } from '/cases/assert.mjs'
import { HeadscaleClient } from '/node_modules/tailnet-kit/headscale.js'
import { TailnetClient } from '/node_modules/tailnet-kit/index.js'
import { HeadscaleSandbox, Sandbox } from '/node_modules/tailnet-kit/sandbox.js'
import '/node_modules/tailnet-kit/elements/save.js'

const clientOf = ({ baseURL, fetch }) => new TailnetClient({ baseURL, fetch, tailnet: 'example.com', apiKey: 'tskey-sandbox', dangerouslyAllowBrowser: true })

/** An element for what a service has stored, and the service's client. */
async function saving(change, client = clientOf(new Sandbox())) {
  const element = document.createElement('tailnet-save')
  const stored = client.acl ? await client.acl.get() : { format: 'hujson', ...(await client.policy.get()) }
  stored.etag ??= stored.text
  Object.assign(element, { client, stored, value: change(stored.text) })
  place.append(element)
  return { element, client, text: stored.text, stored }
}
const remark = (words) => (text) => `// ${words}\n${text}`
const button = (element) => all(element, '[part=button]')[0]
const says = (element, pattern) => until(() => pattern.test(texts(element, '.body > div').join(' ')), pattern)
const offered = (element, label) => until(() => one(element, 'dialog button', label), label)
const choose = async (element, label) => {
  ;(await offered(element, label)).click()
  // It closes once its work has ended.
  await until(() => all(element, 'dialog').length === 0, 'the end of the dialog')
}

export const cases = {
  async 'a text is saved, what was typed meanwhile stays, and the button rests while there is nothing to save'() {
    const { element, client, text } = await saving(remark('mine'))
    equal(button(element).ariaDisabled, 'false')
    const stored = next(element, 'stored')
    button(element).click()
    element.value = `${element.value}// later\n`
    const detail = await stored
    equal([detail.stored.text, detail.value], [`// mine\n${text}`, `// mine\n${text}// later\n`])
    await says(element, /Saved\./)
    equal((await client.acl.get()).text, `// mine\n${text}`)
    equal(button(element).ariaDisabled, 'false')
    await element.save()
    equal((await client.acl.get()).text, `// mine\n${text}// later\n`)
    equal(button(element).ariaDisabled, 'true')
    equal(await findings(), [])
  },
  async 'where somebody else saved first nothing is written, and both changes are merged after a question'() {
    const { element, client, text, stored } = await saving((before) => before.replace('192.168.10.9', '192.168.10.77'))
    await client.acl.set(`${text}// theirs\n`, { ifMatch: stored.etag })
    const asked = element.save()
    await choose(element, 'Not now')
    await asked
    equal((await client.acl.get()).text, `${text}// theirs\n`)
    element.save()
    await choose(element, 'Merge and save')
    await says(element, /Saved\./)
    equal((await client.acl.get()).text, `${text.replace('192.168.10.9', '192.168.10.77')}// theirs\n`)
    equal(element.value, (await client.acl.get()).text)
  },
  async 'two changes of the same line are not merged; one can be kept, and saved then'() {
    const { element, client, text, stored } = await saving((before) => before.replace('192.168.10.9', '192.168.10.77'))
    await client.acl.set(text.replace('192.168.10.9', '192.168.10.66'), { ifMatch: stored.etag })
    element.save()
    await offered(element, 'Keep my text')
    equal(one(element, 'dialog button', 'Merge'), undefined)
    await choose(element, 'Keep my text')
    await says(element, /then save/)
    await element.save()
    ok((await client.acl.get()).text.includes('192.168.10.77'), 'mine is stored')
  },
  async 'a refusal is said in words, and a service without ETags is not written to'() {
    const { element, client, text, stored } = await saving((before) => before.replace('"bob@example.com", ', ''))
    await element.save()
    await says(element, /Not saved: the service refused it, as 1 test fails\./)
    element.refused = true
    ok(!button(element).classList.contains('primary'), 'it does not ask to be pressed')
    Object.assign(element, { stored: { ...stored, etag: null }, value: remark('mine')(text) })
    await element.save()
    await says(element, /shows no ETag/)
    equal((await client.acl.get()).text, text)
  },
  async 'a Headscale is written to only where nobody else was'() {
    const client = new HeadscaleClient({ ...new HeadscaleSandbox(), dangerouslyAllowBrowser: true })
    const { element, text } = await saving(remark('mine'), client)
    // A page may fetch its client once somebody saves.
    element.client = async () => client
    await client.policy.set(`${text}// theirs\n`)
    element.save()
    await choose(element, 'Merge and save')
    await says(element, /Saved\./)
    equal((await client.policy.get()).text, `// mine\n${text}// theirs\n`)
  },
}
