// What outlives a reload of this tab: texts under way, the sandbox's state, the connection.
// Must not live here: a key that opens anything.

let service = ''

/** Names the service for which things are typed from now on. */
export const typeFor = (name: string) => void (service = name)

/** The name under which to keep what was typed and is not saved: each service has its own. */
export const typed = (name: string, of = service) => `typed for ${of}: ${name}`

/** Keeps a value for this tab. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // A browser without room or leave to store is no reason to stop: only a reload would lose what was typed.
  }
}

/** What was kept under this name. */
export function recall<T>(name: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as T
  } catch {
    return undefined
  }
}

/** Drops what was kept for the service in use, and only that. */
export function forget(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(typed(''))) sessionStorage.removeItem(name)
}

/** A field whose text survives a reload; `changed` is called whenever it is another. */
export function kept<E extends HTMLElement & { value: string }>(name: string, input: E, changed: () => void): E {
  const place = typed(name)
  input.value = recall<string>(place) ?? input.value
  input.addEventListener('input', () => {
    keep(place, input.value)
    changed()
  })
  return input
}
