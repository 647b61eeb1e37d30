// Notices JSON5 that somebody pasted where HuJSON is wanted, and offers it as HuJSON. Must not live here: how it is converted.
import { hujson } from 'tailnet-kit/slim'
import { attempt, h } from './dom.js'
import { startJSON5, startText } from './kit.js'
import type { Workbench } from './workbench.js'

/** The text as HuJSON, if it is JSON5 and no HuJSON. */
async function asHujson(text: string): Promise<string | undefined> {
  await startText()
  if (hujson.tryParse(text).ok) return undefined
  await startJSON5()
  try {
    return hujson.fromJSON5(text)
  } catch {
    return undefined // The verdict says what is wrong with it.
  }
}

/** Offers, in `said`, the text as HuJSON where that is needed. */
export async function offerHujson({ editor, put }: Workbench, said: HTMLElement): Promise<void> {
  const text = editor.value
  const turned = await asHujson(text)
  if (turned === undefined || editor.value !== text) return
  const turn = async () => {
    put(turned)
    void editor.reveal(1)
    return 'This is HuJSON now; Undo brings back the JSON5.'
  }
  const button = h('button', { onclick: () => attempt(said, turn) }, 'Turn it into HuJSON')
  said.append(h('div.offer', h('p', 'This is JSON5: bare names, single quotes and the like, which the service does not read. '), button))
}
