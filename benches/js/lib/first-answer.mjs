// From nothing to the first answer of an entry of the package, in a fresh process or page. Must not live here: how often.

const POLICY = '{"acls": [{"action": "accept", "src": ["*"], "dst": ["*:*"]}]}'

const made = ({ TailnetClient }, fetch) => new TailnetClient({ baseURL: 'https://api.example.com', tailnet: 'example.com', apiKey: null, fetch })

/**
 * By name: the entry, what is asked of it first, whether the answer is right, and the milliseconds that it may take in Node on a quiet
 * machine. The study that the goals come from made a client and sent nothing; a client that also sends a list is held to the same.
 */
export const FIRST = {
  cidr: { entry: 'cidr', isRight: ({ cidr }) => cidr.check('10.0.0.0/8').ok, goal: 11.5 },
  client: { entry: 'client', isRight: (kit, fetch) => typeof made(kit, fetch).devices.list === 'function', goal: 13.5 },
  'client, first list': { entry: 'client', isRight: async (kit, fetch) => (await made(kit, fetch).devices.list()).length === 0, goal: 13.5 },
  policy: { entry: 'policy', isRight: ({ policy }) => policy.check(POLICY).accepted, goal: 15 },
}

/** Milliseconds; `load` imports the entry of this name. What the host needs to make a request and a response is made before, as it is not ours. */
export async function firstAnswer(name, load) {
  const response = Response.json({ devices: [] })
  new Request('https://api.example.com', { headers: new Headers(), signal: new AbortController().signal })
  const began = performance.now()
  const isRight = await FIRST[name].isRight(await load(FIRST[name].entry), async () => response)
  const took = performance.now() - began
  if (!isRight) throw new Error(`the first answer of ${name} is wrong`)
  return took
}
