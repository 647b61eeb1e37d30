// The extension for VS Code, packed as its README says and used by keys in VS Code itself. Must not live here: how VS Code is started
// (`lib/workbench.mjs`), what the language service answers.

import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equal, ok } from '../cases/assert.mjs'
import { CONTEXT, FAULTY, POLICY } from '../editors/policy.mjs'
import { askedInWorker } from '../lib/extension-worker.mjs'
import { HERE, folder, run } from '../lib/project.mjs'
import { until } from '../lib/until.mjs'
import { installed, workbench } from '../lib/workbench.mjs'

const EXTENSION = join(HERE, '../../editors/vscode')
// The settings of the guide, as it shows them.
const [, SETTINGS] = readFileSync(join(HERE, '../../docs/guides/vscode.md'), 'utf8').match(/^```json\n(.*?)^```$/ms)
/** A policy of Headscale: a group is missing, and a range of ports begins where no other language lets it. */
const HOME = '{"acls": [{"src": ["group:kin"], "dst": ["bob@:0-22"]}]}'
const FILES = {
  '.vscode/settings.json': SETTINGS,
  'devices.json': JSON.stringify(CONTEXT),
  'policy.json': FAULTY,
  'known.hujson': POLICY,
  'typed.hujson': POLICY,
  'remark.hujson': POLICY,
  'lines.hujson': POLICY,
  'renamed.hujson': POLICY,
  'layout.hujson': '{"acls": [], // so\n}',
  'home.headscale.hujson': HOME,
}

export default async ({ tarball }) => {
  const absent = [
    [installed(), 'tests/js/vscode'],
    [existsSync(join(EXTENSION, 'node_modules')), 'editors/vscode'],
  ].filter(([there]) => !there)
  if (absent.length > 0) return { notRun: `\`npm install\` in ${absent.map(([, place]) => place).join(' and ')} comes first` }
  const dir = folder()
  const extension = join(dir, 'tailnet-policy.vsix')
  await run(EXTENSION, 'npm', ['run', 'package', '--', '--out', extension], { env: { TARBALL: tarball } })
  const vscode = await workbench(dir, extension, FILES)
  /** Stops the process of the server, as if it hung. A changed file of settings may start a server twice: then there is none for a moment. */
  const hangs = () =>
    until(() =>
      run(dir, 'pkill', ['-STOP', '-f', `${join(dir, 'extensions')}.*server[.]cjs`]).then(
        () => true,
        () => false,
      ),
    )
  const program = () => readdirSync(join(dir, 'extensions'), { recursive: true }).find((name) => name.endsWith('server.cjs'))
  const disk = (name) => readFileSync(join(dir, 'workspace', name), 'utf8')
  try {
    const outcomes = []
    for (const [name, check] of Object.entries({ ...packed(extension), ...reading, ...writing, ...surroundings }))
      outcomes.push({
        name,
        error: await check({ ...vscode, disk, hangs, program: () => join(dir, 'extensions', program()) }).then(
          () => null,
          (error) => String(error?.message ?? error),
        ),
      })
    return outcomes
  } finally {
    await vscode.close()
  }
}

/** How heavy the extension may be, in bytes: the language and its layout as wasm, and three programs. */
const LIMIT = 1_800_000

const packed = (extension) => ({
  'it weighs little': async () => ok(statSync(extension).size <= LIMIT, `${statSync(extension).size} bytes`),

  'in a browser the server is a worker': async () => {
    const asked = (text) => askedInWorker(join(EXTENSION, 'dist'), text, CONTEXT)
    equal((await asked(FAULTY)).issues, ['unknown_tag'])
    const { issues, remarks, edits } = await asked(POLICY)
    equal(issues, [])
    ok(remarks.includes('1 device'), remarks.join())
    ok(edits > 0, 'the layout is not the canonical one')
  },

  'the worker knows policies of Headscale, and what it lists': async () => {
    const asked = (text, given) => askedInWorker(join(EXTENSION, 'dist'), text, given, 'home.headscale.hujson')
    equal((await asked(HOME)).issues, ['unknown_group'])
    const nodes = [{ id: 1, name: 'store', given_name: 'store', ip_addresses: ['100.64.0.1'], user: { id: 2, name: 'bob' } }]
    const { issues, remarks } = await asked(HOME.replace('group:kin', 'bob@'), nodes)
    equal(issues, [])
    ok(remarks.includes('1 device'), remarks.join())
  },
})

/** The line and column of the place so many characters into these words. */
function place(words, into, text = POLICY) {
  const lines = text.slice(0, text.indexOf(words) + into).split('\n')
  return [lines.length, lines.at(-1).length + 1]
}

const reading = {
  'a file has the language by its name, and by the setting of the guide': async ({ open, said }) => {
    for (const name of ['known.hujson', 'policy.json']) {
      await open(name)
      await said('.statusbar-item', 'Tailnet policy')
    }
  },

  'words have the colours of their meaning': async ({ open, page }) => {
    await open('known.hujson')
    const colours = () =>
      page.evaluate(() =>
        ['group:dev', '// Who', '"groups"'].map((words) => {
          const span = [...document.querySelectorAll('.view-line span span')].find(({ textContent }) => textContent.replaceAll('\u00a0', ' ').startsWith(words))
          return span && getComputedStyle(span).color
        }),
      )
    await until(colours, ([group, comment, key]) => group && new Set([group, comment, key]).size === 3)
  },

  'remarks know the devices of the workspace': async ({ open, shows }) => {
    await open('known.hujson')
    await shows((text) => text.includes('"tag:db:22" 1 device'))
  },

  'a word says what it means': async ({ open, cursor, press, said }) => {
    await open('known.hujson')
    await cursor(...place('tag:db:22', 2))
    await press('Control+k')
    await press('Control+i')
    await said('.monaco-hover', 'store.example.ts.net')
    await press('Escape')
  },

  'a policy of Headscale is read in its language': async ({ open, cursor, press, said }) => {
    await open('home.headscale.hujson')
    await cursor(...place('group:kin', 2, HOME))
    await press('Control+k')
    await press('Control+i')
    await said('.monaco-hover', 'group not defined in policy')
    await press('Escape')
  },

  'a key leads to the definition': async ({ open, cursor, press, said }) => {
    await open('known.hujson')
    await cursor(...place('group:dev"], "dst"', 3))
    await press('F12')
    const [line, column] = place('group:dev', 0)
    await said('.statusbar-item', `Ln ${line}, Col ${column}`)
  },

  'the outline has the sections': async ({ open, page, lists }) => {
    await open('known.hujson')
    await page.locator('.pane-header', { hasText: 'Outline' }).click()
    await lists('.outline-tree', (rows) => ['groups', 'tagOwners', 'acls'].every((name) => rows.some((row) => row.startsWith(name))))
  },
}

const writing = {
  'completions are offered while somebody writes': async ({ open, cursor, type, said, press, disk }) => {
    await open('typed.hujson')
    await cursor(...place('"group:dev"], "dst"', 11))
    await type(', "ta')
    await said('.suggest-widget .monaco-list-row.focused', 'tag:db')
    await press('Enter')
    await press('Control+s')
    await until(
      () => disk('typed.hujson'),
      (text) => text.includes('"src": ["group:dev", "tag:db"]'),
    )
  },

  'a comment is typed letter by letter': async ({ open, cursor, type, press, disk }) => {
    await open('remark.hujson')
    await cursor(...place(' may.', 4))
    await type(' see "x [1')
    await press('Control+s')
    await until(
      () => disk('remark.hujson'),
      (text) => text.includes(' see "x [1'),
    )
    equal(disk('remark.hujson').split('\n')[1].trim(), '// Who may see "x [1.')
  },

  'the line breaks after a comma and after a brace, and nothing else is written': async ({ open, cursor, type, press, page, disk }) => {
    await open('lines.hujson')
    await cursor(...place('"tag:db:22"', 11))
    for (const sign of [',', '{']) {
      await type(sign)
      // Long enough for an offer that nobody asked for.
      await page.waitForTimeout(1_000)
      await press('Enter')
    }
    await press('Control+s')
    // Whether VS Code closes the brace by itself is its own affair: a busy one does not always. It saves by itself, too, so that the first change
    // on the disk need not be the last.
    const signs = (text) => text.replaceAll(/[\s,]/g, '').replace('{}', '{')
    const wanted = signs(POLICY.replace('"tag:db:22"', '"tag:db:22"{}'))
    await until(
      () => signs(disk('lines.hujson')),
      (text) => text === wanted,
    )
    await page.locator('.tab.active .codicon-close').click()
  },

  'a name is renamed wherever it is used': async ({ open, cursor, press, page, shows, disk }) => {
    await open('renamed.hujson')
    await cursor(...place('tag:db:22', 2))
    await press('F2')
    const box = page.locator('.rename-box input')
    await box.waitFor()
    equal(await box.inputValue(), 'tag:db')
    await box.fill('tag:store')
    await press('Enter')
    await shows((text) => text.includes('"tag:store:22"'))
    await press('Control+s')
    await until(
      () => disk('renamed.hujson'),
      (text) => text.split('tag:store').length === 3 && !text.includes('tag:db'),
    )
  },

  'a name that cannot be says why': async ({ open, cursor, press, page, said }) => {
    await open('known.hujson')
    await cursor(...place('tag:db:22', 2))
    await press('F2')
    const box = page.locator('.rename-box input')
    await box.waitFor()
    await box.fill('tag:1')
    await press('Enter')
    await said('.monaco-editor-overlaymessage, .notification-toast', 'not a valid tag')
    await press('Escape')
  },

  'a saved file is formatted': async ({ open, press, disk }) => {
    await open('layout.hujson')
    await press('Control+s')
    await until(
      () => disk('layout.hujson'),
      (text) => text === '{\n\t"acls": [], // so\n}\n',
    )
  },
}

const PROBLEMS = '.markers-panel'

/** The problems of the file at hand: others that were opened before may have some, too. */
function ofPolicy(rows) {
  const at = rows.findIndex((row) => /^policy\.json \d+$/.test(row))
  return at < 0 ? [] : rows.slice(at + 1, at + 1 + Number(rows[at].split(' ')[1]))
}

const surroundings = {
  'an issue is underlined, and is a problem': async ({ open, press, page, lists }) => {
    await open('policy.json')
    await press('Control+Shift+m')
    await page.locator('.squiggly-error').first().waitFor()
    const [issue] = ofPolicy(await lists(PROBLEMS, (rows) => ofPolicy(rows).length === 1))
    ok(/tag not found: "tag:dv".*unknown_tag.*Ln 6/.test(issue), issue)
  },

  'the same issue is there once, beside what was saved': async ({ open, cursor, type, command, page, rows, lists }) => {
    await open('policy.json')
    await cursor(...place('tag:dv', 6, FAULTY))
    await type('x')
    await lists(PROBLEMS, (rows) => rows.some((row) => row.includes('tag:dvx')))
    await command('File: Compare Active File with Saved')
    await page.locator('.diff-hidden-lines, .monaco-diff-editor').first().waitFor()
    await page.waitForTimeout(2_000)
    const listed = await rows(PROBLEMS)()
    equal(listed.filter((row) => row.startsWith('policy.json')).length, 1)
    equal(ofPolicy(listed).length, 1)
    await page.locator('.tab.active .codicon-close').click()
  },

  'the first action removes an issue': async ({ open, cursor, press, page, lists }) => {
    await open('policy.json')
    await cursor(...place('tag:dv', 2, FAULTY))
    await press('Control+.')
    await page.locator('.action-widget .monaco-list-row.action.focused').waitFor()
    await press('Enter')
    await lists(PROBLEMS, (rows) => !ofPolicy(rows).some((row) => row.includes('unknown_tag')))
  },

  'remarks follow the file of devices': async ({ open, write, shows }) => {
    await open('known.hujson')
    const [one] = CONTEXT.devices
    const two = { ...one, id: '2', name: 'other.example.ts.net', addresses: ['100.64.0.2'] }
    write('devices.json', JSON.stringify({ ...CONTEXT, devices: [one, two] }))
    await shows((text) => text.includes('"tag:db:22" 2 devices'))
  },

  'the server starts again by a command, and knows the same': async ({ open, command, shows }) => {
    await open('known.hujson')
    await command('Tailnet policy: Restart the language server')
    await shows((text) => text.includes('"tag:db:22" 2 devices'))
  },

  'without the setting no device is known': async ({ open, write, shows }) => {
    await open('known.hujson')
    const { 'tailnetPolicy.devices': _, ...others } = JSON.parse(SETTINGS)
    write('.vscode/settings.json', JSON.stringify(others))
    await shows((text) => !text.includes('2 devices') && text.includes('"tag:db:22"]'))
  },

  'a setting that changes while the last change is taken up is taken up, too': async ({ open, write, shows }) => {
    await open('known.hujson')
    const set = (devices) => write('.vscode/settings.json', JSON.stringify({ ...JSON.parse(SETTINGS), 'tailnetPolicy.devices': devices }))
    for (const milliseconds of [200, 250, 300]) {
      set('none.json')
      await new Promise((done) => setTimeout(done, milliseconds))
      set('devices.json')
      await shows((text) => text.includes('"tag:db:22" 2 devices'))
      set('')
      await shows((text) => text.includes('"tag:db:22"]'))
    }
  },

  'a server that hangs is replaced': async ({ write, shows, hangs }) => {
    // It has started: nobody else knows that the group is one person.
    await shows((text) => text.includes('1 person') && text.includes('"tag:db:22"]'))
    await hangs()
    write('.vscode/settings.json', SETTINGS)
    await shows((text) => text.includes('"tag:db:22" 2 devices'))
  },

  'a server that hangs while it starts is replaced': async ({ command, shows, program }) => {
    const [path, restart] = [program(), 'Tailnet policy: Restart the language server']
    const works = readFileSync(path)
    writeFileSync(path, 'setInterval(() => {}, 1000)')
    await command(restart)
    await shows((text) => !text.includes('2 devices'))
    writeFileSync(path, works)
    await command(restart)
    await shows((text) => text.includes('"tag:db:22" 2 devices'))
  },

  'a file of devices that is not there is said': async ({ write, said }) => {
    write('.vscode/settings.json', JSON.stringify({ ...JSON.parse(SETTINGS), 'tailnetPolicy.devices': 'absent.json' }))
    await said('.notification-toast', 'absent.json')
  },
}
