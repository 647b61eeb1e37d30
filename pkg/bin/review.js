// Turns the answer of `policy.review` into findings, each at its place. Must not live here: what a change does, how it is shown.
import { hujson } from 'tailnet-kit'
import { Failure } from './failure.js'
import { ignoring } from './ignore.js'
import { opening } from './opening.js'
import { ofIssue, onLine, report } from './report.js'

const KINDS = ['gained', 'lost', 'lockout', 'exposed', 'guard']

/**
 * Reads what makes a review fail, from `gained:X,lost:X,lockout,exposed,guard`; returns a test of a finding's kind and reach. X is a
 * destination or, where devices are known, a tag of one; `*` in it stands for any text. Throws a Failure for other words.
 */
export function failing(words, context) {
  const wanted = words
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const [kind] = word.split(':', 1)
      if (!KINDS.includes(kind) || (word !== kind && !['gained', 'lost'].includes(kind)))
        throw new Failure(`--fail-on takes gained:X, lost:X, lockout, exposed and guard, not \`${word}\``)
      return { kind, name: word === kind ? undefined : word.slice(kind.length + 1) }
    })
  const tags = new Map((context?.devices ?? []).map((device) => [device.id, device.tags ?? []]))
  return (kind, reach) => wanted.some((one) => one.kind === kind && (one.name === undefined || isAbout(one.name, reach, tags)))
}

/** Whether a reach is about this name. A source that reaches `*` reaches every name. */
const isAbout = (name, { destination, party }, tags) => {
  const pattern = new RegExp(`^${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\\*', '.*')}$`, 's')
  return party.kind === 'any' || [destination, party.name, ...(tags.get(party.id) ?? [])].some((one) => pattern.test(one))
}

/**
 * The report of a review. `head` and `guard` are `{file, text}`; `guard` may be undefined. `base` is the name of the earlier policy.
 * `isFailing` is the result of `failing`; findings for which it is true are errors. With `isStrict` an undecided assertion counts as one that fails.
 */
export function reported(review, { head, guard, base, isFailing, isStrict = false }) {
  const { place, finding } = about(head)
  const changes = changesOf(review, { head, base, isFailing })
  const issues = ignoring(head.file, head.text, review.issues.map(ofIssue(head.file)))
  const lockedOut = review.lockedOut.map(({ name }) =>
    finding(isFailing('lockout') ? 'error' : 'warning', 'lockout', `${name} has no access and no login left`),
  )
  const exposed = review.exposed.map((one) => finding(isFailing('exposed') ? 'error' : 'warning', 'exposed', exposure(one), place(one.because[0])))
  const removed = review.tests.removed.map((test) => finding('notice', 'test_removed', `the test of ${test.src} at line ${test.line} of ${base} is gone`))
  const proven = guard ? review.guard.results : []
  const guarded = proven.filter(({ holds }) => holds !== true).map((result) => violated(result, { place, finding, isFailing, isStrict, guard }))
  const findings = [...guarded, ...issues.findings, ...lockedOut, ...exposed, ...changes, ...removed]
  return report('review', {
    sources: new Map([[head.file, head.text], ...(guard ? [[guard.file, guard.text]] : [])]),
    findings,
    ignored: issues.ignored,
    passed: proven.filter(({ holds }) => holds === true).map(({ assertion }) => ({ file: guard.file, name: claimOf(assertion) })),
    results: { review },
    verdict: [verdictOf(review, proven)],
    summary: review.summary,
  })
}

/** A finding for each gain and loss in `access` and `ssh` of a review: an error where `isFailing` says so, else a notice. */
export function changesOf({ access, ssh }, { head, base, isFailing }) {
  const how = { ...about(head), isFailing, base }
  return [...access.flatMap((change) => changed(change, how, reached)), ...ssh.flatMap((change) => changed(change, how, loggedIn))]
}

/** Makes findings in a policy, and finds the places of its rules, each once. */
function about(head) {
  const known = new Map()
  const placed = (rule, key = `${rule.section} ${rule.index}`) => known.get(key) ?? known.set(key, placeOf(head, rule)).get(key)
  return { place: (rule) => (rule ? placed(rule) : {}), finding: findingIn(head) }
}

const findingIn = (head) => (severity, code, message, more) => ({ file: head.file, severity, code, origin: 'ours', message, ...more })

const SECTIONS = { acls: ['acls', 'ACLs', 'Acls'], grants: ['grants', 'Grants'], ssh: ['ssh', 'SSH', 'Ssh'] }

/** The range of the whole rule where its section has the usual spelling, else that of its line. */
function placeOf({ text }, { section, index, line }) {
  for (const name of SECTIONS[section] ?? []) {
    const found = hujson.find(text, `/${name}/${index}`)
    if (found?.line === line) return { line, column: found.column, offset: found.offset, length: found.length, pointer: `/${name}/${index}` }
  }
  return onLine(text, line)
}

const reached = (reach) => `${reach.destination}:${opening(reach)}`
const loggedIn = ({ destination, users, action }) => `SSH to ${destination} as ${users.join(', ')}${action === 'check' ? ' after a check' : ''}`

function changed({ source, gained, lost }, { finding, place, isFailing, base }, words) {
  const severity = (kind, reach) => (isFailing(kind, reach) ? 'error' : 'notice')
  const news = gained.map((reach) =>
    finding(
      severity('gained', reach),
      'gained',
      `${source} gains ${words(reach)}${reach.partly ? ', a part of which was open before' : ''}`,
      place(reach.because[0]),
    ),
  )
  const gone = lost.map((reach) => {
    const from = reach.because.map(({ line }) => line)
    const hint = from.length > 0 ? { hint: `${base} gave it at line ${from.join(', ')}` } : {}
    return finding(severity('lost', reach), 'lost', `${source} loses ${words(reach)}${reach.partly ? ', a part of which stays open' : ''}`, hint)
  })
  return [...news, ...gone]
}

const WHOM = { everybody: 'everybody in the tailnet', outsiders: 'outsiders', anyone: 'any address' }
const exposure = ({ destination, to, opens }) =>
  `${destination} becomes open to ${WHOM[to] ?? to}: ${opens.map(({ proto, ports }) => `${proto} ${ports}`).join(', ')}`

/** An assertion as one line. */
export function claimOf(assertion) {
  const [kind] = Object.keys(assertion).filter((key) => key !== 'why')
  const claim = assertion[kind]
  if (kind === 'noMoreThan' || kind === 'sameAs') return `${kind} ${typeof claim === 'string' && !/[{\n]/.test(claim) ? claim : 'the given policy'}`
  const { from, to, ports, proto, users, paths } = claim
  const list = (names) => [names].flat().join(', ')
  return `${kind} ${list(from)} -> ${list(to)}${ports === undefined ? '' : `:${ports}`}${proto === undefined ? '' : ` ${proto}`}${users === undefined ? '' : ` as ${list(users)}`}${paths ? ' over devices' : ''}`
}

/** The finding of an assertion that fails or is undecided: at the rule that makes it fail, else at the assertion. */
function violated({ assertion, holds, line, counterexample, why }, { finding, place, isFailing, isStrict, guard }) {
  const claim = claimOf(assertion)
  const inGuard = { file: guard.file, ...(line === null ? {} : onLine(guard.text, line)) }
  const reason = assertion.why === undefined ? {} : { hint: assertion.why }
  const severity = isFailing('guard') && (holds === false || isStrict) ? 'error' : 'warning'
  const because = why === undefined ? '' : `: ${why}`
  if (holds === null) return finding(severity, 'guard', `${claim}: undecided${because}`, { ...inGuard, ...reason })
  if (!counterexample) return finding(severity, 'guard', `${claim}: does not hold${because}`, { ...inGuard, ...reason })
  const { flow, rule, path = [flow] } = counterexample
  const from = path[0].from
  if (!rule) return finding(severity, 'guard', `${claim}: ${from} does not reach ${target(flow)}${because}`, { ...inGuard, ...reason })
  const over = path.slice(1).map((hop) => hop.from)
  const told = [assertion.why, line === null ? undefined : `${guard.file}:${line}`].filter(Boolean).join('; ')
  const reaches = `${from} reaches ${target(flow)}${over.length > 0 ? ` over ${over.join(', ')}` : ''}`
  return finding(severity, 'guard', `${claim}: ${reaches}`, { ...place(rule), hint: told })
}

/** Where a flow or a login leads, in words. */
const target = ({ to, proto, user }) => (user === undefined ? `${to.replace(/:0$/, '')} by ${proto}` : `${to} as ${user}`)

function verdictOf({ unchanged, access, ssh }, proven) {
  const guards = proven.length > 0 ? `; ${proven.filter(({ holds }) => holds === true).length} of ${proven.length} guards hold` : ''
  if (unchanged) return `the edit changes no meaning${guards}`
  const who = (kind) => new Set([...access, ...ssh].filter((change) => change[kind].length > 0).map(({ source }) => source)).size
  return `access gained by ${who('gained')}, lost by ${who('lost')}${guards}`
}
