// Elements and their components with their types. Must not live here: what they show.

import type { TailnetAccess, TailnetChanges, TailnetFlow } from 'tailnet-kit/elements'
import type { Drafts, TailnetDevices } from 'tailnet-kit/elements/admin'
import type { RuleDetail } from 'tailnet-kit/elements/changes'
import { TailnetClient } from 'tailnet-kit'
import type { HeadscaleClient } from 'tailnet-kit/headscale'
import { TailnetAccess as Access, TailnetChanges as Changes, TailnetDns as Dns, TailnetFlow as Flow } from 'tailnet-kit/react'

const access: TailnetAccess = document.createElement('tailnet-access')
const changes: TailnetChanges = document.createElement('tailnet-changes')
const flow: TailnetFlow = document.createElement('tailnet-flow')
Object.assign(changes, { base: '{}', value: '{}' })
changes.context = { devices: [] }
changes.baseContext = undefined
const lines: number[] = []
const seen = ({ line }: RuleDetail) => lines.push(line)
changes.addEventListener('rule', ({ detail }) => seen(detail))
changes.addEventListener('cell', ({ detail }) => access.jump(detail))
changes.addEventListener('answer', ({ detail }) => ('review' in detail ? detail.review.summary : detail.same))
changes.addEventListener('click', ({ clientX }) => lines.push(clientX))
access.by = 'device'
access.of = 'logins'
access.addEventListener('cell', ({ detail }) => lines.push(...detail.because.map(({ line }) => line)))
const files: [string, Promise<Blob>, string] = [access.toSVG(), access.toPNG(), access.toCSV()]
flow.addEventListener('edit', ({ detail }) => (flow.value = detail.text))
flow.addEventListener('answer', ({ detail }) => detail.explanation?.verdict)
// @ts-expect-error: a matrix has rows by name or by device
access.by = 'user'

Changes({ base: '{}', value: '{}', className: 'wide', onRule: ({ detail }) => seen(detail), onCell: ({ detail }) => access.jump(detail) })
Access({ value: '{}', of: 'logins', ref: { current: access }, 'aria-label': 'Access' })
Flow({ value: '{}', from: 'ann@example.com', to: 'tag:web:22', onEdit: ({ detail }) => detail.text })
// @ts-expect-error: there is no such property
Flow({ text: '{}' })
// @ts-expect-error: a method is no property
Access({ jump: () => true })

const client = new TailnetClient({ apiKey: null, tailnet: 'example.com', baseURL: '/gateway' })
const drafts: Drafts = new Map<string, unknown>()
const devices: TailnetDevices = document.createElement('tailnet-devices')
Object.assign(devices, { client, drafts })
devices.addEventListener('answer', ({ detail }) => lines.push(detail.length))
devices.addEventListener('change', ({ detail }) => detail.id)
const lists = (headscale: HeadscaleClient) => (devices.client = headscale)
Dns({ client, onChange: ({ detail }) => detail.id })
// @ts-expect-error: a Headscale has no such settings
const noDns = (headscale: HeadscaleClient) => Dns({ client: headscale })
export { files, lists, noDns }
