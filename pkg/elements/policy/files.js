// Files as the text of an editor. Must not live here: what becomes of the text.

import { h } from '../common/dom.js'

/** No policy is larger than this. */
const MOST_BYTES = 4 << 20

/** The text of a file. */
export async function textOf(file) {
  if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for a policy: ${Math.round(file.size / 1024)} KiB`)
  const text = await file.text()
  if (text.includes('\0')) throw new Error(`${file.name} is no text`)
  return text
}

/** A field that asks for a file, and gives it on. */
export function picker(opened) {
  const input = h('input', { type: 'file', hidden: true, accept: '.hujson,.json,.json5,.jsonc,.txt' })
  input.onchange = () => {
    if (input.files[0]) opened(input.files[0])
    input.value = ''
  }
  return input
}

/** Gives on files that are dropped on a place, rather than letting the browser put them into the text. */
export function dropped(place, opened) {
  const take = (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.stopPropagation()
    const [file] = event.dataTransfer.files
    if (event.type === 'drop' && file) opened(file)
  }
  for (const type of ['dragover', 'drop']) place.addEventListener(type, take, { capture: true })
}
