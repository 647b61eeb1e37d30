// The Markdown of the service as DOM, made of text nodes, so that nothing in a policy becomes HTML. Must not live here: editors.

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\((https:\/\/[^\s)]+)\)|\\([\\`*_[\]#<>|-])/g

/** Headings, lists, fenced code and paragraphs; in them code, strong text and links to https. Anything else stays as it is written. */
export function markdownDOM(markdown, document) {
  const root = document.createDocumentFragment()
  let list
  for (const [, fenced, block = ''] of markdown.matchAll(/^```.*\n([^]*?)\n```$|^(.*)$/gm)) {
    const item = fenced === undefined && block.match(/^\s*[-*] (.*)/)?.[1]
    if (item) {
      list ??= root.appendChild(document.createElement('ul'))
      list.append(inline('li', item, document))
      continue
    }
    list = undefined
    if (fenced !== undefined) root.appendChild(document.createElement('pre')).textContent = fenced
    else if (block.trim()) root.append(inline('p', block.replace(/^#+ (.*)$/, '**$1**'), document))
  }
  return root
}

function inline(name, text, document) {
  const element = document.createElement(name)
  let end = 0
  for (const { index, 0: whole, 2: code, 3: strong, 4: label, 5: href, 6: escaped } of text.matchAll(INLINE)) {
    element.append(text.slice(end, index), escaped ?? piece(document, code, strong, label, href))
    end = index + whole.length
  }
  element.append(text.slice(end))
  return element
}

function piece(document, code, strong, label, href) {
  const element = document.createElement(code ? 'code' : strong ? 'strong' : 'a')
  if (href) Object.assign(element, { href, rel: 'noreferrer', target: '_blank' })
  if (strong) element.append(...inline('span', strong, document).childNodes)
  else element.textContent = code ?? label
  return element
}
