// `tailnet-kit drift`: whether a service still has the policy of a file. Must not live here: the service.
import { createHash } from 'node:crypto'
import { hujson, policy } from 'tailnet-kit'
import { DEVICES, JUDGING, KEYS, SERVICE } from '../arguments.js'
import { expect, inFile, read } from '../files.js'
import { judged } from '../judge.js'
import { block, patch } from '../patch.js'
import { report } from '../report.js'
import { changesOf } from '../review.js'
import { serving } from '../service.js'

export const usage = 'FILE [--devices FILE] [--base-url URL] [--tailnet NAME] [--dialect NAME]'
export const says = `Says whether a service still has the policy of FILE. The ETag is the SHA-256 of the text in canonical layout, so a
difference in layout is no drift. Shows the difference if there is one, and who gains and who loses what if FILE is applied.
FILE may be '-'.

${KEYS}`
export const options = { ...SERVICE, ...DEVICES, ...JUDGING }
export const exits = {
  0: 'the service has this policy',
  1: 'it has another',
  2: 'wrong usage, a file that cannot be read, or a service that cannot be reached',
}
export const examples = ['npx --no tailnet-kit drift policy.hujson', 'npx --no tailnet-kit drift policy.hujson --tailnet example.com --format markdown']

export async function run(values, files) {
  expect(files, 'FILE')
  const [file] = files
  return judged(
    values,
    async () => {
      const acl = await read(file)
      const { service, context } = await serving(values, file, acl)
      return compared(file, acl, await service.get(), context)
    },
    () => [file, ...(values.devices === undefined ? [] : [values.devices])],
  )
}

function compared(file, text, { text: held, etag }, context) {
  const local = inFile(file, () => hujson.format(text))
  const present = hujson.tryParse(held).ok ? hujson.format(held) : held
  const digest = createHash('sha256').update(local).digest('hex')
  // A tag of another form says nothing: then the texts are compared.
  const tag = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1]
  const isSame = tag === digest || present === local
  const finding = {
    file,
    severity: 'error',
    code: 'drift',
    origin: 'ours',
    message: `the service has another policy${isAlike(text, held, context) ? ', which means the same' : ''}`,
  }
  const review = isSame ? undefined : reviewed(held, text, context)
  const changes = review === undefined ? [] : changesOf(review, { head: { file, text }, base: 'the service', isFailing: () => false })
  const applied = changes.length > 0 ? { hint: `applying ${file} does what the notices say` } : {}
  const difference = isSame ? '' : patch('service', present, file, local).trimEnd()
  return report('drift', {
    sources: new Map([[file, text]]),
    findings: isSame ? [] : [{ ...finding, ...applied }, ...changes],
    results: { drift: !isSame, etag: etag ?? null, local: digest, ...(review && { review }) },
    verdict: isSame ? ['the service has this policy'] : difference.split('\n'),
    summary: isSame ? undefined : [...(review === undefined ? [] : [review.summary.trimEnd(), '']), block(difference)].join('\n'),
  })
}

/** What applying the file does; undefined where the service would refuse one of the two. */
function reviewed(held, text, context) {
  try {
    return policy.review(held, text, context)
  } catch {
    return undefined
  }
}

function isAlike(text, held, context) {
  try {
    return policy.diff(held, text, { dialect: context?.dialect }).length === 0
  } catch {
    return false
  }
}
