// What a text means, card by card: the verdict on it, the rules of a subject, one flow, what changes, the tests.
// Must not live here: how any of it is found out; the picture of who reaches what.
import type { AccessChange, AccessMatrix, AclPreview, Explanation, PolicyCheck, PreviewQuery, RuleRef, Subject } from 'tailnet-kit/slim';
import { type Child, entry, h, list, problem, prose, whenNew } from './dom.js';
import { ask } from './kit.js';
import type { Update, Workbench } from './policy.js';
import { kept } from './storage.js';
import { write } from './url.js';

const ADDRESS_AND_PORT = /^(\[[\da-f:]+\]|[\d.]+|[\da-f:]+:[\da-f]*):\d+$/i;
const ADDRESS = /^([\d.]+|[\da-f:]*:[\da-f:]*)$/i;

/** Whether rules can be asked for by this name: one that stands for many has no rules of its own. */
export const askable = (name: string): boolean => !/^(auto)?group:|^\*?$/.test(name);

function subjectOf(name: string): PreviewQuery & Subject {
  if (name.startsWith('tag:')) return { tag: name };
  return name.includes('@') ? { user: name } : { host: name };
}

/** The service's verdict, every finding, and the tests that the text carries. */
export function findings({ editor, verdict, issues, tests, tally }: Workbench): (check: PolicyCheck) => void {
  const finding = ({ severity, line, column, message, hint }: PolicyCheck['issues'][number]): HTMLElement => {
    const words = [h('span', 'hidden', `${severity}: `), ...prose(message), hint && h('small', '', ...prose(hint))];
    return entry(`${line}:${column}`, () => editor.goTo(line), severity, h('span', '', ...words));
  };
  const result = ({ line, src, section, passed, errors }: PolicyCheck['tests']['results'][number]): HTMLElement => {
    const outcome = passed === null ? 'unknown' : passed ? 'passed' : 'failed';
    const words = [h('code', '', src), section === 'sshTests' && ' over ssh', ...errors.map((error) => h('small', '', error))];
    return entry(line, () => editor.goTo(line), outcome, h('span', '', ...words), h('span', 'outcome', outcome));
  };
  return whenNew(({ accepted, message, issues: found, tests: { results } }) => {
    const warnings = found.filter(({ severity }) => severity === 'warning').length;
    verdict.className = `verdict ${accepted ? 'good' : 'bad'}`;
    verdict.textContent = accepted ? `Would be accepted${warnings ? `, with ${warnings} warnings` : ''}` : `Would be refused: ${message}`;
    tally.textContent = results.length ? `${results.filter(({ passed }) => passed).length} of ${results.length} pass` : '';
    issues.replaceChildren(...found.map(finding));
    list(tests, results.map(result), 'The policy has no tests.');
    editor.report(found);
  });
}

/** "Which rules concern this user, tag, host or address?" */
export function who({ editor, refresh, subject, names, concerned }: Workbench): Update {
  subject.addEventListener('input', () => {
    void write({ for: subject.value.trim() });
    refresh();
  });
  const suggest = whenNew((known: string[]) => names.replaceChildren(...known.map((value) => h('option', { value }))));
  const show = whenNew(({ user, matches, unknown }: AclPreview & { unknown: RuleRef[] }) => {
    const item = (line: number, ...words: Child[]): HTMLElement => entry(line, () => editor.goTo(line), '', h('span', '', ...words));
    const rules = matches.map(({ lineNumber, users, ports, via, postures }) => {
      const conditions = [via && `by way of ${via.join(', ')}`, postures && `while ${postures.join(' or ')} holds`].filter(Boolean).join('; ');
      return item(lineNumber ?? 1, h('code', '', users.join(', ')), ' → ', h('code', '', ports.join(', ')), h('small', '', conditions));
    });
    const others = unknown.map(({ line }) => item(line, h('code', '', editor.rule(line)), h('small', '', 'perhaps: text and devices cannot tell')));
    const none = askable(user) ? `No rule concerns ${user}.` : 'Name a user, a tag, a host or an ip:port to see its rules.';
    list(concerned, [...rules, ...others], none);
  });
  let untouched = !subject.value;
  return async (text, { sources, destinations }) => {
    suggest([...new Set([...sources, ...destinations])].filter(askable));
    if (untouched) subject.value ||= sources.find((name) => name.includes('@')) ?? '';
    untouched = false;
    const name = subject.value.trim();
    const query = ADDRESS_AND_PORT.test(name) ? { ipPort: name } : subjectOf(name);
    const answer = askable(name) ? await ask('preview', text, query) : { user: name, matches: [], unknown: [] };
    editor.mark([...answer.matches.map(({ lineNumber }) => lineNumber ?? 1), ...answer.unknown.map(({ line }) => line)]);
    show(answer);
  };
}

/** One flow: allowed or denied, and why. */
export function flow({ editor, refresh, from, to, proto, flow: answer }: Workbench): Update {
  for (const [name, input] of Object.entries({ from, to, proto })) kept(`flow.${name}`, input).addEventListener('input', refresh);
  const rule = ({ line }: RuleRef, words: Child[] = [h('code', '', editor.rule(line))]): HTMLElement =>
    entry(line, () => editor.goTo(line), '', h('span', '', ...words));
  const explained = ({ verdict, because, nearMisses, unresolved }: Explanation): Child[] => {
    const [source, target] = [from.value, `${to.value} over ${proto.value}.`];
    const words = {
      allowed: `Allowed: ${source} reaches ${target}`,
      denied: `Denied: no rule lets ${source} reach ${target}`,
      unknown: `Unknown: text and devices cannot tell whether ${source} reaches ${target}`,
    };
    return [
      h('p', `verdict ${verdict}`, words[verdict]),
      h('ol', '', ...because.map((ref) => rule(ref))),
      nearMisses.length > 0 && h('h3', '', 'Nearly'),
      h('ol', '', ...nearMisses.map((miss) => rule(miss.rule, prose(miss.why)))),
      ...unresolved.map((name) => h('p', 'warning', `${name} is no name of this policy or its network.`)),
    ];
  };
  return async (text) => {
    const [source, target] = [from.value.trim(), to.value.trim()];
    const sender = source.startsWith('group:') ? { group: source } : ADDRESS.test(source) ? { ip: source } : subjectOf(source);
    const question = { from: sender, to: target, proto: proto.value };
    const hint = [h('p', 'quiet', 'Say who, and where to with a port: then it says whether that passes, and why.')];
    const parts = source && target ? await ask('explain', text, question).then(explained, (error: unknown) => [problem(error)]) : hint;
    answer.replaceChildren(h('div', '', ...parts));
  };
}

/** More places than these are counted, not named. */
const NAMED = 8;

/** Who gains and who loses access against the stored text: device by device where devices are known. */
export function changes({ draft, devices, changes: place }: Workbench): Update {
  const hostnames = new Map(devices.map(({ id, hostname }) => [id, hostname]));
  const joined = (names: string[]): string => {
    const known = names.slice(0, NAMED).map((name) => hostnames.get(name) ?? name);
    return known.join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '');
  };
  const chip = (verb: string, [ports, reached]: [string, AccessChange['gained']]): HTMLElement =>
    h('li', verb, h('span', 'hidden', `${verb} `), `${joined(reached.map(({ destination }) => destination))} `, h('b', '', ports === '*' ? 'all ports' : ports));
  const chips = (verb: string, reached: AccessChange['gained'] = []): HTMLElement[] =>
    [...Map.groupBy(reached, ({ ports }) => ports.join(', '))].map((alike) => chip(verb, alike));
  const changed = (alike: AccessChange[]): HTMLElement =>
    h('li', '', h('code', '', joined(alike.map(({ source }) => source))), h('ul', '', ...chips('gains', alike[0]?.gained), ...chips('loses', alike[0]?.lost)));
  const show = whenNew((found: AccessChange[]) => {
    const alike = Map.groupBy(found, ({ gained, lost }) => JSON.stringify([gained, lost]));
    list(place, [...alike.values()].map(changed), 'Nobody gains or loses access.');
  });
  return (text) => ask('diffAccess', draft.opened.text, text).then(show);
}
