// Runs the steps of a composite action as GitHub does: inputs and expressions filled in, a new bash for each step, failures
// remembered. It knows the expressions of our action, and throws for others. Must not live here: what is asserted.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'

/** `{code, out}` of all steps together; `github` is the context of that name, `env` the environment of the runner. */
export function perform(action, { inputs = {}, github = {}, env, cwd, place }) {
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value }]) => [name, String(inputs[name] ?? filled(String(value), { github }))]),
  )
  const context = { inputs: given, github }
  let [code, out] = [0, '']
  for (const [index, { if: condition, run, shell, env: own = {} }] of action.runs.steps.entries()) {
    if (shell !== 'bash') throw new Error(`a step runs in ${shell}`)
    if (!isMet(condition ?? '', context, code)) continue
    const script = join(place, `step-${index}.sh`)
    writeFileSync(script, run)
    const filledEnv = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, filled(String(value), context)]))
    const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd, env: { ...env, ...filledEnv }, encoding: 'utf8' })
    out += done.stdout + done.stderr
    if (done.status !== 0) code = done.status
  }
  return { code, out }
}

const filled = (text, context) => text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression) => value(expression, context))

/** The value of `github.event.number` and the like, and whether a list of names has one; empty where there is none. */
function value(expression, context) {
  const [, list, name] = /^contains\(([\w.-]+)\.\*\.name, '([^']*)'\)$/.exec(expression) ?? []
  if (list) return [value(list, context)].flat().some((one) => one.name === name)
  if (!/^(inputs|github)(\.[\w-]+)+$/.test(expression)) throw new Error(`the expression \`${expression}\` is none that is known here`)
  return expression.split('.').reduce((inner, name) => inner?.[name], context) ?? ''
}

/** Whether a step runs: nothing has failed yet, or its condition is `always()`. */
function isMet(condition, context, code) {
  const terms = condition
    .split('&&')
    .map((term) => term.trim())
    .filter((term) => term !== '')
  return (
    (code === 0 || terms.includes('always()')) &&
    terms
      .filter((term) => term !== 'always()')
      .every((term) => {
        const [, left, sign, right] = /^(\S+) ([!=]=) '(.*)'$/.exec(term) ?? []
        if (!left) throw new Error(`the condition \`${term}\` is none that is known here`)
        return (value(left, context) === right) === (sign === '==')
      })
  )
}
