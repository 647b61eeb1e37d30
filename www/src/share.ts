// What can be given away of a change: a link, its Markdown, the picture. Must not live here: what a link is made of (url.ts).
import type { PolicyReview } from 'tailnet-kit/slim'
import { judge } from './answers.js'
import { download, menu } from './dom.js'
import { linkTo } from './url.js'
import type { Workbench } from './workbench.js'

async function copied(text: string, what = 'Copied.'): Promise<string> {
  await navigator.clipboard.writeText(text)
  return what
}

/** The menu; `said` shows how it ended. */
export function shareMenu({ access, base, editor, network, shared }: Workbench, said: HTMLElement): HTMLElement {
  const link = async () => {
    const parts = shared(true)
    const held = ['the policy', parts.base !== undefined && 'the one it is compared with', parts.context && 'the network'].filter(Boolean).join(', ')
    const address = await linkTo(parts)
    if (address) return copied(new URL(address, location.href).href, `Copied. The link holds ${held}; nothing is uploaded.`)
    download({ name: 'policy-change.json', type: 'application/json', text: JSON.stringify(parts) })
    return `Too large for a link: this file holds ${held} in its place. “Open a file …” reads it.`
  }
  const markdown = async () => {
    const { summary } = await judge<PolicyReview>('review', base(), editor.value, network())
    return copied(summary)
  }
  const svg = async () => download({ name: 'access.svg', type: 'image/svg+xml', text: access.toSVG() })
  const png = async () => download({ name: 'access.png', type: 'image/png', text: await access.toPNG() })
  return menu('Share', said, { 'Copy link': link, 'Copy as Markdown': markdown, 'Picture as SVG': svg, 'Picture as PNG': png })
}
