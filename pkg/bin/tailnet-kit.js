#!/usr/bin/env node
// The command `tailnet-kit`: which subcommand, which options, which exit code.
// What a subcommand does stands in its own file, loaded only when it is asked for. Must not live here: anything else.
import { parseArgs } from 'node:util'
import { Failure, exit } from './failure.js'

const text = { type: 'string' }
const texts = { type: 'string', multiple: true }
const flag = { type: 'boolean' }
const COMMANDS = {
  sandbox: {
    options: { port: text, host: text, tailnet: texts, 'api-key': text, state: text, 'allow-origin': texts, 'allow-host': texts },
    load: async () => (await import('./commands/sandbox.js')).sandbox,
  },
  check: { options: { devices: text, json: flag }, load: async () => (await import('./policy.js')).check },
  preview: {
    options: { user: text, 'ip-port': text, tag: text, group: text, autogroup: text, host: text, device: text, devices: text, json: flag },
    load: async () => (await import('./policy.js')).preview,
  },
  diff: {
    options: { devices: text, json: flag, 'exit-zero': flag },
    load: async () => (await import('./policy.js')).diff,
  },
  fmt: { options: { check: flag }, load: async () => (await import('./text.js')).fmt },
  json: { options: { minimize: flag }, load: async () => (await import('./text.js')).json },
}

const USAGE = `usage:
  tailnet-kit sandbox [--port 8080] [--host 127.0.0.1] [--tailnet NAME]... [--api-key KEY] [--state FILE]
                      [--allow-origin ORIGIN]... [--allow-host HOST]...
  tailnet-kit check   FILE [--devices FILE] [--json]
  tailnet-kit preview FILE (--user LOGIN | --ip-port IP:PORT | --tag | --group | --autogroup | --host | --device NAME) [--devices FILE] [--json]
  tailnet-kit diff    BEFORE AFTER [--devices FILE] [--json] [--exit-zero]
  tailnet-kit fmt     [--check] FILE...
  tailnet-kit json    FILE [--minimize]
  tailnet-kit --version
FILE may be '-', standard input.
`

function read(args, options) {
  try {
    return parseArgs({ args, options: { ...options, help: { type: 'boolean', short: 'h' } }, allowPositionals: true })
  } catch (error) {
    throw new Failure(error.message.split(/\. |\n/)[0])
  }
}

async function main([name, ...rest]) {
  if (name === undefined) throw new Failure(`no command given; one of ${Object.keys(COMMANDS).join(', ')}, or --help`)
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(USAGE)
    return 0
  }
  if (name === '--version') {
    process.stdout.write(`${(await import('tailnet-kit')).version}\n`)
    return 0
  }
  if (!Object.hasOwn(COMMANDS, name)) throw new Failure(`unknown command \`${name}\`; see --help`)
  const command = COMMANDS[name]
  const { values, positionals } = read(rest, command.options)
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const run = await command.load()
  return run(values, positionals)
}

// Whoever reads the output may stop reading, as `head` does; that is no failure.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 2))

await exit(main(process.argv.slice(2)))
