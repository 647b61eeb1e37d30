// Policies and networks of unlucky shapes, each of a wanted size: what made a verb slow once, or would make a careless one slow. Must not live here:
// measuring, the policies of a usual organisation (`policies.mjs`).

const DOMAIN = 'example.com'
export const user = (index) => `user${index}@${DOMAIN}`
const list = (count, item) => Array.from({ length: Math.round(count) }, (_, index) => item(index))
const entries = (count, item) => Object.fromEntries(list(count, item))
const octets = (index) => `${(index >> 8) & 255}.${index & 255}`
const subnet = (index) => `10.${octets(index)}.0/24`
const inSubnet = (index) => `10.${octets(index)}.7`
const accept = (src, dst) => ({ action: 'accept', src, dst })
const device = (index, more) => ({
  id: String(index + 1),
  name: `d${index}.${DOMAIN}`,
  hostname: `d${index}`,
  addresses: [`100.64.${octets(index)}`, `fd7a:115c:a1e0::${(index + 1).toString(16)}`],
  ...more,
})

/** One entry of each list of the document on a line. */
function lines(document) {
  const section = ([name, value]) => {
    const list = Array.isArray(value)
    const items = list
      ? value.map((item) => JSON.stringify(item))
      : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
    return `  ${JSON.stringify(name)}: ${list ? '[' : '{'}\n${items.map((item) => `    ${item}`).join(',\n')}\n  ${list ? ']' : '}'}`
  }
  return `{\n${Object.entries(document).map(section).join(',\n')}\n}\n`
}

/** Devices of users, one each. */
const devicesOf = (count) => ({ devices: list(count, (index) => device(index, { user: user(index) })) })

/** One group in every rule, as many members as rules. */
export const oneGroup = (size) => ({
  text: lines({ groups: { 'group:all': list(size, user) }, acls: list(size, (index) => accept(['group:all'], [`${subnet(index)}:${1 + (index % 999)}`])) }),
})

/** The same with a test of the group for each of ten rules. */
export const groupTests = (size) => {
  const { text } = oneGroup(size)
  const tests = list(10, (index) => ({ src: 'group:all', accept: [`${inSubnet(index)}:${1 + (index % 999)}`] }))
  return { text: text.replace(/\n\}\n$/, `,\n  "tests": ${JSON.stringify(tests)}\n}\n`) }
}

/** Ten rules a test and as many devices as tests, each rule for one user. */
export const testedRules = (rules) => {
  const tests = rules / 10
  return {
    text: lines({
      acls: list(rules, (index) => accept([user(index % tests)], [`${subnet(index)}:443`])),
      tests: list(tests, (index) => ({ src: user(index), accept: [`${inSubnet(index)}:443`], deny: [`${inSubnet(index)}:80`] })),
    }),
    context: devicesOf(tests),
  }
}

/** Every rule to the same destination. */
export const sharedDestination = (size) => ({ text: lines({ acls: list(size, (index) => accept([user(index)], [`10.0.0.0/8:${1 + (index % 60_000)}`])) }) })

/** Every rule from the same source. */
export const sharedSource = (size) => ({ text: lines({ acls: list(size, (index) => accept([user(0)], [`${subnet(index)}:${1 + (index % 60_000)}`])) }) })

/** One rule a device. `changed` says whether one rule is another. */
export const network = (size, changed = false) => ({
  text: lines({ acls: list(size, (index) => accept([user(index)], [`${user((index + (changed && index === 7 ? 3 : 1)) % size)}:443`])) }),
  context: devicesOf(size),
})

/** Everything and nothing, with devices. */
export const everything = (size) => ({ text: lines({ acls: [accept(['*'], ['*:*'])] }), context: devicesOf(size) })
export const nothing = lines({ acls: [] })

/** An ssh rule for each user, who may only come as himself; one of ten devices is a server. */
export const sshByLocalpart = (size) => ({
  text: lines({
    tagOwners: entries(10, (index) => [`tag:t${index}`, []]),
    ssh: list(size, (index) => ({ action: 'accept', src: [user(index)], dst: [`tag:t${index % 10}`], users: [`localpart:*@${DOMAIN}`] })),
  }),
  context: {
    devices: list(size, (index) => device(index, index % 10 === 0 ? { tags: [`tag:t${(index / 10) % 10}`] } : { user: user(index) })),
    domains: [DOMAIN],
  },
})

/** One rule of so many sources and as many destinations. */
export const oneRule = (size) => ({
  text: lines({
    acls: [
      accept(
        list(size, user),
        list(size, (index) => `${subnet(index)}:443`),
      ),
    ],
  }),
})

/** Each ipset holds the one before it. */
export const ipsetChain = (size) => ({
  text: lines({
    ipsets: entries(size, (index) => [`ipset:s${index}`, [`add ${subnet(index)}`, ...(index ? [`add ipset:s${index - 1}`] : [])]]),
    acls: list(size, (index) => accept([user(0)], [`ipset:s${index}:443`])),
  }),
})

/** As many ipsets of ten prefixes as rules; none holds another. */
export const ipsets = (size) => ({
  text: lines({
    ipsets: entries(size, (index) => [`ipset:s${index}`, list(10, (at) => `add ${subnet(index * 10 + at)}`)]),
    acls: list(size, (index) => accept([user(index)], [`ipset:s${index}:443`])),
  }),
})

/** A router for each prefix, and rules that name the prefixes. */
export const routers = (size) => ({
  text: lines({ acls: list(size, (index) => accept([user(index)], [`${subnet(index)}:443`])) }),
  context: { devices: list(size, (index) => device(index, { user: user(index), advertisedRoutes: [subnet(index)], enabledRoutes: [subnet(index)] })) },
})

/** Prefixes of every length, one in the other, over and over. */
export const nested = (size) => ({
  text: lines({ acls: list(size, (index) => accept([user(index)], [`10.${(index >> 4) % 256}.0.0/${8 + (index % 16)}:${1 + (index % 60_000)}`])) }),
})

/** One user in every group, one rule a group. */
export const manyGroups = (size) => ({
  text: lines({
    groups: entries(size, (index) => [`group:g${index}`, [user(0), user(index + 1)]]),
    acls: list(size, (index) => accept([`group:g${index}`], [`${subnet(index)}:443`])),
  }),
})

/** Every device carries a hundred tags, one rule a tag. */
export const manyTags = (size) => ({
  text: lines({
    tagOwners: entries(size, (index) => [`tag:t${index}`, []]),
    acls: list(size, (index) => accept([`tag:t${index}`], [`tag:t${(index + 1) % size}:443`])),
  }),
  context: { devices: list(size / 10, (index) => device(index, { tags: [...new Set(list(100, (at) => `tag:t${(index * 7 + at) % size}`))] })) },
})
