// Turns the answer of `policy.review` into findings, each at its place. Must not live here: what a change does, what of it is an
// error (fail-on.js), how it is shown.
import { hujson } from 'tailnet-kit'
import { guardFindings, holding, passing } from './assertions.js'
import { entriesIn } from './changes.js'
import { ignoring } from './ignore.js'
import { opening } from './opening.js'
import { ofIssue, onLine, report, worstFirst } from './report.js'
import { about } from './rules.js'

/**
 * The report of a review. `head` and `guard` are `{file, text}`; `guard` may be undefined; `proven` is how its assertions end. `base` is the name of
 * the earlier policy.
 * `isFailing` is the result of `failing`; findings for which it is true are errors. With `isStrict` an undecided assertion counts as one that
 * fails. `guardChange` is how the guard changed, if that is known, and with `isAllowed` it may change.
 */
export function reported(review, { head, guard, proven = review.guard?.results ?? [], base, isFailing, isStrict = false, guardChange, isAllowed = false }) {
  const { place, finding } = about(head)
  const changes = changesOf(review, { head, base, isFailing })
  const issues = ignoring(head.file, head.text, review.issues.map(ofIssue(head.file)))
  const said = (kind, least, code) => (message, more) => finding(isFailing(kind) ? 'error' : least, code, message, more)
  const [lockout, orphan, exposing] = [said('lockout', 'warning', 'lockout'), said('orphaned', 'notice', 'orphaned'), said('exposed', 'warning', 'exposed')]
  const lockedOut = review.lockedOut.map(({ name }) => lockout(`${name} has no access and no login left`))
  const orphaned = review.orphaned.map(({ name }) => orphan(`nobody reaches ${name} any more`))
  const exposed = review.exposed.map((one) => exposing(exposure(one), place(one.because[0])))
  const postures = review.postures.filter(({ now }) => now !== 'same').map((posture) => turned(posture, { finding, isFailing }))
  const renamed = review.renamed.map((tag) =>
    finding('notice', 'renamed', `${tag.from} looks renamed to ${tag.to}; devices keep the old tag until somebody changes it on each`),
  )
  const devices = review.devices.map((change) => {
    const isError = turnsOf(change, Date.now()).some(([kind, entry]) => isFailing(kind, entry))
    return finding(isError ? 'error' : 'notice', 'device', stateOf(change))
  })
  const tests = testsOf(review.tests, { base, head, said: said('tests-removed', 'notice', 'test_removed') })
  const guarded = guardFindings({ guard, results: proven, change: guardChange }, { place, finding, isFailing, isStrict, isAllowed })
  const findings = worstFirst([
    ...guarded,
    ...lockedOut,
    ...exposed,
    ...issues.findings,
    ...renamed,
    ...devices,
    ...changes,
    ...orphaned,
    ...postures,
    ...tests,
  ])
  return report('review', {
    sources: new Map([[head.file, head.text], ...(guard ? [[guard.file, guard.text]] : [])]),
    findings,
    ignored: issues.ignored,
    passed: passing(proven, guard),
    results: { review },
    verdict: [verdictOf(review, proven)],
    summary: review.summary,
  })
}

/** A finding for each entry of a review: an error where `isFailing` says so, else a notice. */
export function changesOf(review, { head, base, isFailing }) {
  const how = { ...about(head), head, isFailing, base }
  return entriesIn(review)
    .sort((one, other) => weightOf(one) - weightOf(other))
    .map((entry) => changed(entry, how))
}

/** What is worse has less: everything and what outsiders gain, then every gain, what is treated otherwise, undecided, lost. */
const weightOf = ({ who, sign, isAny }) => 2 * '+~?-'.indexOf(sign) - Number(sign === '+' && (isAny || MANY.includes(who)))

const MANY = ['*', 'autogroup:danger-all', 'autogroup:shared', 'autogroup:member']

function changed({ who, sign, verb, text, because, pointer, ...entry }, { finding, place, head, isFailing, base }) {
  const severity = isFailing(entry.kind, entry) ? 'error' : 'notice'
  const code = { '~': 'checked', '?': 'undecided' }[sign] ?? (sign === '+' ? 'gained' : 'lost')
  const from = because.map(({ line }) => line)
  const hint = from.length > 0 ? { hint: `${base} gave it at line ${from.join(', ')}` } : {}
  const gives = pointer === undefined ? place(because[0]) : at(head.text, pointer)
  return finding(severity, code, `${who} ${verb}${text}`, sign === '-' ? hint : sign === '?' ? {} : gives)
}

/** The place of an entry, where its keys have the usual spelling. */
function at(text, pointer) {
  const { line, column, offset, length } = hujson.find(text, pointer) ?? {}
  return line === undefined ? {} : { line, column, offset, length, pointer }
}

/**
 * What becomes of a device, by the kinds of `--fail-on`, and what that is about. One that is cut off loses whatever it reached, and one that is let in
 * gains that: it is listed nowhere, so it is about every name. Shields keep others out of the device alone.
 */
function turnsOf({ device, id, before, after }, now) {
  const takesPart = ({ authorized, expires }) => authorized && !(Date.parse(expires) <= now)
  const takesIn = ({ blocksIncomingConnections }) => !blocksIncomingConnections
  const own = { names: [device], device: id }
  const turn = (is, entry) => (is(before) === is(after) ? [] : [[is(after) ? 'gained' : 'lost', entry]])
  return [...turn(takesPart, { ...own, isAny: true }), ...turn(takesIn, own)]
}

/** What is said of a device by the names of the service. */
function stateOf({ device, before, after }) {
  const changes = Object.keys(after).filter((key) => before[key] !== after[key])
  return `${device} takes part otherwise: ${changes.map((key) => `${key} ${before[key] ?? 'never'} → ${after[key] ?? 'never'}`).join(', ')}`
}

const TURNED = { looser: 'looser', tighter: 'tighter', other: 'neither tighter nor looser' }

function turned({ name, now, before, after }, { finding, isFailing }) {
  const how = before === null ? 'new' : after === null ? 'gone' : TURNED[now]
  const conditions = (list) => (list === null ? 'nothing' : list.join(' and '))
  const severity = now === 'looser' && isFailing('posture-looser') ? 'error' : 'notice'
  return finding(severity, 'posture', `${name} is ${how}: ${conditions(before)} → ${conditions(after)}`)
}

const testsOf = ({ removed, changed }, { base, head, said }) => [
  ...removed.map(({ src, line }) => said(`the test of ${src} at line ${line} of ${base} is gone`)),
  ...changed.map(({ src, line, noLonger }) => said(`the test of ${src} no longer checks ${noLonger.join(', ')}`, onLine(head.text, line))),
]

const WHOM = { everybody: 'everybody in the tailnet', outsiders: 'outsiders', anyone: 'any address' }
const exposure = ({ destination, to, opens, today }) =>
  `${destination}:${opening({ opens })} becomes open to ${WHOM[to] ?? to}${today ? ` (nobody today: ${today})` : ''}`

/** The last line: the first one of the summary, as plain text, and how the guard ends. */
function verdictOf({ unchanged, summary }, proven) {
  const [headline] = summary.replace(/ \*{0,2}Guard: .*/, '').split('\n', 1)
  return `${unchanged ? 'the edit changes no meaning' : headline.replaceAll('**', '')}${holding(proven)}`
}
