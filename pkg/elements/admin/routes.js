// The routes of one device: which are active, pending or only approved, and checks of new ones while they are typed. Must not live here: what a prefix is.

import { h, prose } from '../common/dom.js'
import { judge } from '../common/judge.js'
import { enable, live } from '../common/buttons.js'
import { attempt } from '../common/work.js'
import { field } from './element.js'

const EXITS = { no: '', half: 'It is half an exit node: enable both 0.0.0.0/0 and ::/0.', yes: 'It is an exit node.' }

/** The routes of a device in few words. */
export function summary({ active, pending, exitNode }) {
  const enabled = exitNode === 'yes' ? 'exit node' : active.length && `${active.length} active`
  return [enabled, pending.length && `${pending.length} pending`].filter(Boolean).join(', ') || 'none'
}

/** An editor for the routes of a device; `changed` is called when new ones were saved. */
export function routing(element, device, changed) {
  const [lines, notes, checked, said] = [h('ul.routes'), h('p.quiet'), live(), live()]
  const { drafts } = element
  const draft = `routes.${device.id}`
  const stored = () => device.enabledRoutes ?? []
  let enabled = drafts?.get(draft) ?? stored()
  const isSame = () => enabled.length === stored().length && enabled.every((route) => stored().includes(route))

  const turn = (route, on) => {
    enabled = enabled.filter((other) => other !== route).concat(on ? route : [])
    drafts?.set(draft, isSame() ? undefined : enabled)
    return look()
  }
  const look = async () => {
    enable(save, !isSame())
    const prefix = input.value.trim()
    const [[{ exitNode, overlaps }], found] = await Promise.all([judge('routes', [{ ...device, enabledRoutes: enabled }]), judge('prefix', prefix)])
    if (prefix !== input.value.trim()) return
    notes.textContent = [EXITS[exitNode], ...overlaps.map(([a, b]) => `${a} and ${b} overlap.`)].join(' ')
    const meant = !found.ok && found.suggestion
    const instead = meant && h('button.link', { onclick: () => put(meant) }, `Use ${meant}`)
    enable(add, found.ok && !enabled.includes(prefix))
    checked.replaceChildren(prefix && !found.ok ? h('p.problem', ...prose(found.message), ' ', instead) : '')
  }
  const line = (route, state) => {
    const box = h('input', { type: 'checkbox', checked: enabled.includes(route) })
    box.onchange = () => turn(route, box.checked)
    return h('li', h('label.choice', box, h('code', route), h(`small.badge ${state}`, state)))
  }
  /** Draws the boxes, which show what is wanted; the word beside each shows what the service has. A box keeps its place when it is turned. */
  const draw = async () => {
    const [{ active, pending, enabledOnly }] = await judge('routes', [{ ...device, enabledRoutes: [...new Set([...stored(), ...enabled.filter(isAdded)])] }])
    const states = { active, pending, 'approved, not advertised': enabledOnly }
    const boxes = Object.entries(states).flatMap(([state, all]) => all.map((route) => line(route, state)))
    lines.replaceChildren(...(boxes.length ? boxes : [h('li.quiet', 'It advertises no route, and none is enabled.')]))
    await look()
  }
  const isAdded = (route) => !device.advertisedRoutes?.includes(route)
  const put = (text) => {
    input.value = text
    input.dispatchEvent(new Event('input'))
    input.focus()
  }
  const store = async () => {
    const sent = enabled
    const { advertisedRoutes, enabledRoutes } = await element.service.devices.routes.set(device.id, sent)
    Object.assign(device, { advertisedRoutes, enabledRoutes })
    // Boxes turned while the request was under way stay as they are.
    if (enabled === sent) {
      enabled = stored()
      drafts?.set(draft, undefined)
    }
    await Promise.all([changed(), draw()])
    return 'Saved.'
  }
  const append = async () => {
    await turn(input.value.trim(), true)
    put('')
    await draw()
  }
  const onkeydown = ({ key }) => key === 'Enter' && add.click()
  const input = element.kept(`route.${device.id}`, h('input', { placeholder: '10.20.0.0/16', onkeydown }), () => look())
  const add = h('button', { onclick: append }, 'Add')
  const save = h('button.primary', { onclick: () => attempt(said, store) }, 'Save routes')
  draw()
  return h('div.routing', lines, notes, h('div.toolbar', field('Approve another route', input), add, save), checked, said)
}
