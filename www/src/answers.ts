// What a text means, card by card: the verdict on it, the rules of a subject, one flow, what changes, the tests.
// Must not live here: how any of it is found out; the picture of who reaches what.
import type { AccessChange, AccessReach, Explanation, Issue, PolicyCheck, PolicyPreview, RuleRef, TestReport } from 'tailnet-kit/slim';
import { type Child, card, field, h, list, live, problem, prose, whenNew } from './dom.js';
import { ask } from './kit.js';
import { kept } from './storage.js';
import { write } from './url.js';
import type { Card, Workbench } from './workbench.js';

/** Whether rules can be asked for by this name. */
export const askable = (name: string) => !/^(ipset|user):|^\*?$/.test(name);

/** An entry of a list that leads to a line of the text. */
const entry = ({ editor }: Workbench, line: number, kind: string, ...words: Child[]) =>
  h('li', h(`button.row ${kind}`, { onclick: () => editor.goTo(line) }, h('span.line', line), h('span', ...words)));

/** An entry that shows the rule itself. */
const rule = (bench: Workbench, { line }: RuleRef, why?: string) =>
  entry(bench, line, '', h('code', bench.editor.rule(line)), why && h('small', ...prose(why)));

/** Names that lead nowhere, and the one that may be meant. */
const nowhere = (unresolved: string[], hint?: string) =>
  unresolved.map((name) => h('p.warning', `${name} is no name of this policy or its network.`, hint && h('small', ...prose(hint))));

/** The service's verdict, every finding, and the tests that the text carries. */
export function judgement(bench: Workbench, failed: Node) {
  const [verdict, issues, tally, tests] = [h('p', { role: 'status' }), h('ol'), h('small'), h('ol')];
  const finding = ({ severity, line, message, hint }: Issue) => {
    const words = [h('span.hidden', `${severity}: `), ...prose(message), hint && h('small', ...prose(hint))];
    return entry(bench, line, severity, ...words);
  };
  const result = ({ line, src, section, passed, errors }: TestReport['results'][number]) => {
    const outcome = passed === null ? 'unknown' : passed ? 'passed' : 'failed';
    const words = [h('code', src), section === 'sshTests' && ' over ssh', ' ', h('span.outcome', outcome)];
    return entry(bench, line, outcome, ...words, ...errors.map((error) => h('small', error)));
  };
  const show = whenNew(({ accepted, message, issues: found, tests: { results } }: PolicyCheck) => {
    const warnings = found.filter(({ severity }) => severity === 'warning').length;
    const noted = warnings ? `, with ${warnings} warning${warnings > 1 ? 's' : ''}` : '';
    verdict.className = `verdict ${accepted ? 'good' : 'bad'}`;
    verdict.textContent = accepted ? `Would be accepted${noted}` : `Would be refused: ${message}`;
    issues.replaceChildren(...found.map(finding));
    bench.editor.report(found);
    const passed = results.filter((test) => test.passed).length;
    tally.textContent = results.length ? `${passed} of ${results.length} pass` : '';
    list(tests, results.map(result), 'The policy has no tests.');
  });
  const view = h('section.findings', { ariaLabel: 'Issues' }, verdict, failed, issues);
  return { show, view, tests: card('Tests', tally, tests) };
}

/** "Which rules concern this user, tag, host or address?" */
export function who(bench: Workbench): Card {
  const { editor, subject } = bench;
  const [names, concerned] = [h('datalist', { id: 'names' }), h('ol', { ariaLive: 'polite' })];
  subject.addEventListener('input', () => {
    write({ for: subject.value.trim() });
    bench.refresh();
  });
  const suggest = whenNew((known: string[]) => names.replaceChildren(...known.map((value) => h('option', { value }))));
  const match = ({ lineNumber, users, ports, via, postures }: PolicyPreview['matches'][number]) => {
    const conditions = [via && `by way of ${via.join(', ')}`, postures && `while ${postures.join(' or ')} holds`];
    const words = [h('code', users.join(', ')), ' → ', h('code', ports.join(', '))];
    return entry(bench, lineNumber ?? 1, '', ...words, h('small', conditions.filter(Boolean).join('; ')));
  };
  const show = whenNew(({ user, matches, unknown, unresolved, hint }: PolicyPreview) => {
    const others = unknown.map((ref) => rule(bench, ref, 'perhaps: text and devices cannot tell'));
    const none = askable(user) ? `No rule concerns ${user}.` : 'Name whom or what to see the rules.';
    list(concerned, [...nowhere(unresolved, hint).map((said) => h('li', said)), ...matches.map(match), ...others], none);
  });
  let untouched = !subject.value;
  const update: Card['update'] = async (text, { sources, destinations }) => {
    suggest([...new Set([...sources, ...destinations])].filter(askable));
    if (untouched) subject.value ||= sources.find((name) => name.includes('@')) ?? '';
    untouched = false;
    const name = subject.value.trim();
    const answer = askable(name) ? await ask('preview', text, name) : { user: name, matches: [], unknown: [], unresolved: [] };
    const { matches, unknown } = answer;
    editor.mark([...matches.map(({ lineNumber }) => lineNumber ?? 1), ...unknown.map(({ line }) => line)]);
    show(answer);
  };
  return { update, view: card('Who', '', field('Rules that concern', subject), names, concerned) };
}

/** One flow: allowed or denied, and why. */
export function flow(bench: Workbench): Card {
  const input = (name: string, placeholder: string) =>
    kept(`flow.${name}`, h('input', { placeholder, autocomplete: 'off' }), bench.refresh);
  const [from, to] = [input('from', 'bob@example.com'), input('to', 'tag:db:5432')];
  const options = ['tcp', 'udp', 'sctp', 'icmp'].map((name) => h('option', name));
  const [proto, said] = [kept('flow.proto', h('select', ...options), bench.refresh), live()];
  for (const field of [from, bench.subject]) field.setAttribute('list', 'names');
  const explained = ({ verdict, because, nearMisses, unresolved, hint }: Explanation) => [
    h(`p.verdict ${verdict}`, `${verdict}: ${from.value} → ${to.value} over ${proto.value}`),
    verdict === 'unknown' && h('p.quiet', 'Text and devices cannot tell.'),
    h('ol', ...because.map((ref) => rule(bench, ref))),
    nearMisses.length > 0 && h('h3', 'Nearly'),
    h('ol', ...nearMisses.map((miss) => rule(bench, miss.rule, miss.why))),
    ...nowhere(unresolved, hint),
  ];
  const hint = [h('p.quiet', 'Say who, and where to with a port: then it says whether that passes, and why.')];
  const update = async (text: string) => {
    const flow = { from: from.value.trim(), to: to.value.trim(), proto: proto.value };
    const asked = flow.from && flow.to && ask('explain', text, flow).then(explained, (error) => [problem(error)]);
    said.replaceChildren(h('div', ...((await asked) || hint)));
  };
  const fields = h('div.fields', field('From', from), field('To', to), field('Protocol', proto));
  return { update, view: card('One flow', '', fields, said) };
}

/** More places than these are counted, not named. */
const NAMED = 8;

/** Who gains and who loses access against the stored text. */
export function changes({ draft }: Workbench): Card {
  const place = h('ol.changes', { ariaLive: 'polite' });
  const joined = (names: string[]) =>
    names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '');
  const chips = (verb: string, reached: AccessReach[] = []) =>
    [...Map.groupBy(reached, ({ ports }) => ports.join(', '))].map(([ports, alike]) => {
      const places = joined(alike.map(({ destination }) => destination));
      return h(`li.${verb}`, h('span.hidden', `${verb} `), `${places} `, h('b', ports === '*' ? 'all ports' : ports));
    });
  const changed = (alike: AccessChange[]) => {
    const sources = h('code', joined(alike.map(({ source }) => source)));
    return h('li', sources, h('ul', ...chips('gains', alike[0]?.gained), ...chips('loses', alike[0]?.lost)));
  };
  const show = whenNew((found: AccessChange[]) => {
    const alike = Map.groupBy(found, ({ gained, lost }) => JSON.stringify([gained, lost]));
    list(place, [...alike.values()].map(changed), 'Nobody gains or loses access.');
  });
  const update = (text: string) => ask('diffAccess', draft.opened.text, text).then(show);
  return { update, view: card('What changes', h('small', 'against the stored text'), place) };
}
