// Who reaches what by a text, also by names that another text has and this one lacks: so that two pictures have the same rows
// and columns. Must not live here: how two pictures are compared.
import { type AccessMatrix, type PolicyContext, policy } from 'tailnet-kit/slim';

/** Names that a text lacks, and a text that has them. */
export interface Lacking {
  sources: string[];
  destinations: string[];
  of: string;
}

/** What the parsed form of a text defines. */
interface Definitions {
  groups?: Record<string, string[]>;
  hosts?: Record<string, string>;
  tagOwners?: Record<string, string[]>;
  ipsets?: Record<string, string[]>;
  acls?: unknown[];
  grants?: unknown[];
}

/** What one matrix names and the other does not. */
export function lacking(own: AccessMatrix, other: AccessMatrix, of: string): Lacking | undefined {
  const beyond = (side: 'sources' | 'destinations') => {
    const names = new Set(own[side]);
    return other[side].filter((name) => !names.has(name));
  };
  const [sources, destinations] = [beyond('sources'), beyond('destinations')];
  return sources.length || destinations.length ? { sources, destinations, of } : undefined;
}

/** A grant of this alone names both of its sides and opens nothing; one from this group names where it leads, for nobody. */
const [NOTHING, NOBODY] = [{ 'example.com/cap/nothing': [{}] }, 'group:nobody-of-another-text'];

/** The text with what these names mean in the other, where it does not define them itself. */
function defining(text: string, of: string, names: Iterable<string>): string {
  const { edit } = policy;
  const [own, other] = [policy.toJSON(text) as Definitions, policy.toJSON(of) as Definitions];
  let defined = text;
  // Without any rule all is open, which a grant would end.
  if (!own.acls && !own.grants) defined = edit.addRule(text, { action: 'accept', src: ['*'], dst: ['*:*'] });
  for (const name of names) {
    const [prefix] = name.split(':');
    const isHost = other.hosts?.[name] !== undefined && own.hosts?.[name] === undefined;
    if (prefix === 'tag' && !own.tagOwners?.[name]) defined = edit.setTagOwners(defined, name, []);
    else if (prefix === 'group' && !own.groups?.[name]) defined = edit.setGroup(defined, name, []);
    else if (prefix === 'ipset' && !own.ipsets?.[name]) defined = edit.setIpset(defined, name, other.ipsets?.[name] ?? []);
    else if (isHost) defined = edit.setHost(defined, name, other.hosts?.[name] ?? null);
  }
  return defined;
}

/** The matrix of a text that names more. Its rules have the lines of the text as it is; others are left out of it. */
export function accessNaming(text: string, { sources, destinations, of }: Lacking, context?: PolicyContext): AccessMatrix {
  const own = policy.access(text, context);
  let named = defining(text, of, new Set([...sources, ...destinations]));
  if (sources.length) named = policy.edit.addRule(named, { src: sources, dst: ['*'], app: NOTHING });
  if (destinations.length) named = policy.edit.addRule(policy.edit.setGroup(named, NOBODY, []), { src: [NOBODY], dst: destinations, ip: ['*'] });
  const all = policy.access(named, context);
  const lines = new Map(own.cells.flatMap(({ because }) => because.map((ref) => [`${ref.section} ${ref.index}`, ref])));
  const [wanted, reached] = [new Set([...own.sources, ...sources]), new Set([...own.destinations, ...destinations])];
  const kept = (cells: AccessMatrix['cells']) =>
    cells
      .filter(({ source, destination }) => wanted.has(all.sources[source] ?? '') && reached.has(all.destinations[destination] ?? ''))
      .map((cell) => ({ ...cell, because: cell.because.flatMap(({ section, index }) => lines.get(`${section} ${index}`) ?? []) }));
  return { ...all, cells: kept(all.cells), unknown: kept(all.unknown) };
}
