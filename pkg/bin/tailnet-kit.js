#!/usr/bin/env node
// The command `tailnet-kit`: chooses the subcommand. Each has its own file, loaded only when needed; it exports `usage`, `says`,
// `options`, `exits` and `examples`, which make its page of help, and `run`. Must not live here: anything else.
import { columns, page, parsed } from './arguments.js'
import { Failure, exit, failed } from './failure.js'
import { meant } from './nearest.js'

const COMMANDS = {
  check: 'what the service would say to policies',
  test: 'the tests that policies hold',
  review: 'what a change does, and whether it may',
  diff: 'who gains and who loses access',
  explain: 'whether one flow is allowed, and why',
  access: 'who reaches what',
  logins: 'who may log in to what by SSH',
  powers: 'what somebody may do besides reaching',
  preview: 'the rules that concern somebody or something',
  filters: 'the packet filter of each device',
  ssh: 'the SSH rules of each device',
  fmt: 'policies in canonical layout',
  json: 'plain JSON of HuJSON',
  translate: 'a policy in the language of Headscale, or from it',
  pull: 'the policy of a service as a file',
  apply: 'a file as the policy of a service',
  drift: 'whether a service still has the policy of a file',
  lsp: 'the language server, for editors',
  sandbox: 'the whole service on this machine',
}

const OVERVIEW = `usage: tailnet-kit COMMAND [ARGUMENT]...

${columns(Object.entries(COMMANDS))}

\`tailnet-kit COMMAND --help\` describes a command, \`tailnet-kit --version\` prints the version.
`

async function main([name, ...rest]) {
  if (name === undefined) throw new Failure(`no command given; one of ${Object.keys(COMMANDS).join(', ')}, or --help`)
  if (name === 'help' && rest.length > 0) return main([rest[0], '--help'])
  if (['--help', '-h', 'help'].includes(name)) return printed(OVERVIEW)
  if (name === '--version') return printed(`${(await import('tailnet-kit')).version}\n`)
  if (!Object.hasOwn(COMMANDS, name)) throw new Failure(`unknown command \`${name}\`${meant(name, [...Object.keys(COMMANDS), '--help', '--version'])}`)
  const command = await import(`./commands/${name}.js`)
  const { values, positionals } = parsed(rest, command.options)
  return values.help ? printed(page(name, command)) : command.run(values, positionals)
}

function printed(text) {
  process.stdout.write(text)
  return 0
}

// A reader of the output may stop early, as `head` does: that is no failure, and what was found still decides the exit code.
process.stdout.on('error', ({ code }) => code !== 'EPIPE' && process.exit(2))
process.stderr.on('error', () => {})

// Node would print the line of the source before the message.
process.on('uncaughtException', (error) => {
  failed(error)
  process.exit()
})

await exit(main(process.argv.slice(2)))
