// What outlives a reload of this tab: texts under way, the sandbox's state, the connection. Must not live here: a key, ever.

/** Keeps a value for this tab. A browser without room or leave to store is no reason to stop working. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The page works on; only a reload would lose what was typed.
  }
}

/** What was kept under this name. */
export function recall<T>(name: string): T | undefined {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** A field whose text survives a reload. */
export function kept<E extends HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(name: string, input: E): E {
  input.value = recall<string>(name) ?? input.value;
  input.addEventListener('input', () => keep(name, input.value));
  return input;
}
