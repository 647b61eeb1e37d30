// What changes for somebody, as entries in words: access, logins, powers. Must not live here: what changes, where an entry is shown.
import { enough, needing, opening } from './opening.js'

/** How many names stand in a line. */
const NAMED = 4

/** Every entry of a review: of access, logins and powers, of logins by the network alone, and of what today's devices meet or miss alike. */
export function entriesIn({ access, ssh, powers, networkLogins, conditions }) {
  const later = [...conditions.access, ...conditions.ssh].flatMap(entriesOf)
  return [
    ...[...access, ...ssh, ...powers].flatMap(entriesOf),
    ...networkLogins.map(networked),
    ...later.map((entry) => ({ ...entry, text: `${entry.text} (no other difference for what devices report today)` })),
  ]
}

/** A login that port 22 of the network lets through, or no longer does, for certain or perhaps, while the SSH rules stay. */
function networked({ source, destination, users, isOpen, may, part }) {
  const port = may ? 'whether port 22 is open, or was, is undecided' : `port 22 is ${isOpen ? 'open' : 'closed'} now`
  const text = `SSH to ${destination} as ${few(users)}${parted(part)}${may ? ': ' : ', as '}${port}`
  const [sign, kind, verb] = may ? ['?', 'undecided', MAY[may]] : isOpen ? ['+', 'gained', 'gains '] : ['-', 'lost', 'loses ']
  return { who: source, sign, kind, verb, text, names: namesOf(destination), within: namesOf(destination), because: [] }
}

/**
 * An entry for each gain, loss, other treatment and undecided point in one change of `access`, `ssh` or `powers`: its `sign` and `text` for a
 * list under the name of `who`, `verb` to put between the two in a sentence, `kind` for `--fail-on`, and what it is about.
 */
function entriesOf(change) {
  const { gained, lost, checked = [], undecided } = change
  const who = change.source ?? change.who
  const told = (sign, kind, list, saying) => list.map((one) => ({ who, sign, kind, ...saying(one), ...aboutOf(one) }))
  return [
    ...told(
      '+',
      change.who === undefined ? 'gained' : 'powers',
      gained.filter((one) => !recordsMore(one)),
      gaining,
    ),
    ...told('~', 'lost', gained.filter(recordsMore), (one) => ({ ...gaining(one), verb: 'has ' })),
    ...told(
      '-',
      'lost',
      lost.filter((one) => !isDoubtful(one)),
      losing,
    ),
    ...checked.flatMap((one) => told('~', one.now === 'looser' ? 'gained' : 'lost', [one], treated)),
    ...told('?', 'undecided', undecided, doubted),
    ...told('?', 'undecided', lost.filter(isDoubtful), (one) => {
      const { verb, text } = losing(one)
      return verb === 'has ' ? { verb: 'perhaps has ', text: `${text}: ${one.why}` } : doubted({ ...one, may: 'lost' })
    }),
  ]
}

/** Whether text and context leave undecided that it is lost. A power says why else. */
const isDoubtful = ({ what, why }) => what === undefined && why !== undefined

/** Whether a gain is that of a recorder that was there on other terms: nobody may more. */
const recordsMore = ({ kind, why }) => kind === 'recorder' && why !== undefined

/** What may become of what is undecided. */
const MAY = { gained: 'may gain ', lost: 'may lose ' }

const doubted = (one) => ({ verb: MAY[one.may] ?? 'may gain or lose ', text: `${words(one)}: ${one.why}` })

const unlessOf = ({ opens, unless }) => unless ?? opens?.find((open) => open.unless)?.unless

function gaining(one) {
  const unless = unlessOf(one)
  if (!unless) return { verb: 'gains ', text: `${words(one)}${remark(one)}` }
  if (isRedefined(one, unless)) return { verb: 'has ', text: `${words(one)}, whose conditions are looser now` }
  const { postures = [], perhaps } = unless
  // What was enough before may still be: one more posture has not taken its place.
  if (isOtherPosture(one, unless)) return { verb: 'has ', text: `${words(one)}, which was not enough before (${only(unless)}${enough(unless)})` }
  if (perhaps || enough(unless) !== needing({ postures }) || ownNeeds(one) !== '')
    return { verb: 'has ', text: `${words(one)}, before ${only(unless)}${enough(unless)}` }
  return { verb: '', text: `no longer needs ${postures.join(' or ')} for ${words(one)}` }
}

function losing(one) {
  const unless = unlessOf(one)
  if (!unless) return { verb: 'loses ', text: `${words(one)}${remark(one)}` }
  return {
    verb: 'has ',
    text: isRedefined(one, unless) ? `${words(one)}, whose conditions are tighter now` : `${words(one)} now ${only(unless)}${enough(unless)}`,
  }
}

/** Whether somebody has it on these terms for certain. */
const only = ({ perhaps }) => (perhaps ? 'at most' : 'only')

/** The terms on which a power was, or is, there all the same. */
const remark = ({ what, why }) => (what === undefined || why === undefined ? '' : ` (${why})`)

/** What a change needs: an opening by what it names itself, a login by its postures. */
const ownNeeds = (one) => needing(one.opens?.find((open) => open.unless) ?? { postures: one.postures })

/** Whether it needs the same names before and after, of which one is defined otherwise. */
const isRedefined = (one, unless) => ownNeeds(one) === enough(unless)

/** Whether it needs postures before and after, and none of them both times. */
function isOtherPosture(one, { postures = [], both = [] }) {
  const known = [...postures, ...both.flatMap(({ postures }) => postures)]
  const own = (one.opens?.find((open) => open.unless) ?? one).postures ?? []
  return own.length > 0 && known.length > 0 && !own.some((name) => known.includes(name))
}

/** A login that is treated otherwise: what is other, with what was before. */
function treated(one) {
  const { was } = one
  const [period, periodBefore] = [one, was].map(({ checkPeriod = '12h' }) => checkPeriod)
  const [passed, passedBefore] = [one, was].map(({ acceptEnv = [] }) => (acceptEnv.length > 0 ? few(acceptEnv) : 'nothing'))
  const how = [
    ...(one.action === was.action ? [] : [one.action === 'check' ? 'now needs a check' : 'no longer needs a check']),
    ...(one.action === 'check' && was.action === 'check' && period !== periodBefore ? [`a check counts for ${period}, before for ${periodBefore}`] : []),
    ...(passed === passedBefore ? [] : [`passes on ${passed}, before ${passedBefore}`]),
  ]
  return { verb: 'has ', text: `${words(one)}: ${how.join('; ')}` }
}

/**
 * What an entry is about: `names`, which `--fail-on` may give; the names `within` which it is, but for those of `except`, over one `family` alone;
 * the device; whether that is everything; and the entries of a document that give it.
 */
function aboutOf({ what, pointer, destination, party, part, because = [] }) {
  if (what !== undefined) return { names: [what], because, pointer }
  const [own, named] = [namesOf(destination), (part?.to ?? []).filter((name) => !name.startsWith('through '))]
  const except = named.flatMap((name) => (name.startsWith(BUT) ? name.slice(BUT.length).split(', ') : []))
  const only = named.filter((name) => !name.startsWith(BUT) && !(name in FAMILIES))
  return {
    names: [...own, party.name, ...only.flatMap(namesOf)],
    within: only.length > 0 ? only : [party.name, ...own.slice(-1)],
    except,
    family: familyOf(named) ?? familyOf(part?.from ?? []),
    device: only.length > 0 ? undefined : party.id,
    isAny: party.kind === 'any',
    because,
  }
}

/** The family that a part is. */
const familyOf = ([name, ...others]) => (others.length === 0 ? FAMILIES[name] : undefined)

const BUT = 'all but '
const FAMILIES = { IPv4: 4, IPv6: 6 }

/** What a name may be given as: that of an alias that means something else now is `db (10.1.0.5)`, and people write `db`. */
const namesOf = (name) => [name, ...(name.match(/^(.+) \((.+)\)$/)?.slice(1) ?? [])]

/** A reach or a power in words. */
function words(one) {
  if (one.what !== undefined) return `the power ${power(one)}`
  const today = one.today === undefined ? '' : ` (nobody today: ${one.today})`
  return `${one.users === undefined ? `${one.destination}:${opening(one)}` : login(one)}${parted(one.part)}${today}`
}

const NETWORK = { false: ' (no network rule opens port 22 for it)', null: ' (whether the network opens port 22 is undecided)' }

const login = (one) =>
  `SSH to ${one.destination} as ${one.users.join(', ')}${one.action === 'check' ? ' after a check' : ''}${needing(one)}${NETWORK[one.network] ?? ''}`

/** A power in words: what kind it is, of what, through which tags, what it reaches, and why nobody has it today. */
export function power({ kind, what, value, through = [], opens = [], today }) {
  const over = through.length > 0 ? ` through ${through.join(', ')}` : ''
  const reached = opens.length > 0 ? `, which reaches ${few(opens.map(words))}` : ''
  const idle = today === undefined ? '' : ` (nobody today: ${today})`
  return `${kind === what ? '' : `${kind} `}${what}${value === undefined ? '' : ` = ${JSON.stringify(value)}`}${over}${reached}${idle}`
}

/** Which part of source and destination is meant, where not all of it is. */
function parted({ from = [], to = [] } = {}) {
  const part = (only, names) => (names.length === 0 ? '' : names[0].startsWith('all but ') ? ` (${only}${few(names)})` : ` (${only}only ${few(names)})`)
  return `${part('from ', from)}${part('', to)}`
}

const few = (names) => `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`
