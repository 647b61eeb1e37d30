// Comments `// tailnet-kit-ignore CODE: REASON`: the findings with this code in the value that follows are ignored.
// Must not live here: what is found.
import { hujson } from 'tailnet-kit'

const MARK = /\/\/[ \t]*tailnet-kit-ignore\b[ \t]*([^\r\n]*)/g

/**
 * Divides the findings of a text into `findings` that stay and `ignored` ones with their reason; `faults` say what is wrong with the
 * comments themselves. Errors stay: the service would refuse the policy, whatever a comment says.
 */
export function ignoring(file, text, findings) {
  const comments = text.includes('tailnet-kit-ignore') ? commentsOf(text) : []
  const ignored = []
  const rest = findings.filter((finding) => {
    const comment = comments.findLast((one) => one.reason && one.code === finding.code && isIn(one, finding))
    if (!comment) return true
    comment.isMet = true
    if (finding.severity === 'error') return true
    ignored.push({ ...finding, reason: comment.reason })
    comment.isUsed = true
    return false
  })
  return { findings: rest, ignored, faults: comments.flatMap(faultOf(file)) }
}

const isIn = ({ from, to }, { offset }) => offset >= from && offset < to

function faultOf(file) {
  return ({ offset, length, line, column, code, reason, isMet, isUsed }) => {
    if (isUsed) return []
    const fault = { file, severity: 'warning', code: 'unused_ignore', origin: 'ours', line, column, offset, length }
    if (!code || !reason) return [{ ...fault, message: 'an ignore without a reason has no effect', hint: 'write `// tailnet-kit-ignore CODE: REASON`' }]
    if (isMet)
      return [{ ...fault, message: `\`${code}\` is an error here: the service refuses the policy all the same`, hint: 'fix the error, or remove the comment' }]
    return [{ ...fault, message: `nothing here is \`${code}\``, hint: 'remove the comment' }]
  }
}

/** Each comment with the range that it applies to. Places are counted in bytes first, as each byte of a comment becomes a blank. */
function commentsOf(text) {
  const blanked = attempt(() => Buffer.from(hujson.standardize(text)).toString('latin1'))
  if (blanked === undefined) return []
  const bytes = Buffer.from(text).toString('latin1')
  const unit = (at) => Buffer.from(bytes.slice(0, at), 'latin1').toString().length
  return [...bytes.matchAll(MARK)]
    .filter((found) => blanked.startsWith('  ', found.index))
    .map((found) => {
      const said = Buffer.from(found[1], 'latin1').toString().trim()
      const [, code, reason] = /^([a-z_0-9]+)\s*(?::\s*(.*))?$/.exec(said) ?? []
      const end = found.index + found[0].length
      const next = end + blanked.slice(end).search(/[^\s,:]|$/)
      const line = bytes.slice(0, found.index).split('\n').length
      const column = found.index - bytes.lastIndexOf('\n', found.index)
      const offset = unit(found.index)
      return { offset, length: unit(end) - offset, line, column, code, reason, ...spanOf(text, unit(next)) }
    })
}

/** The range of the value, with its name if it has one; nothing where no value follows. */
function spanOf(text, from) {
  if (from >= text.length || /[\]}]/.test(text[from])) return { from, to: from }
  const value = hujson.find(text, hujson.pointerAt(text, from))
  return { from, to: value ? value.offset + value.length : from }
}

function attempt(run) {
  try {
    return run()
  } catch {
    return undefined
  }
}
