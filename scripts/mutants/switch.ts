/**
 * The module that instrumented files import. It says whether a mutant is on, and notes which mutants were reached, each
 * once a process. It reads the state from a file and not from an environment variable, since tests start processes with
 * environments of their own. Bundles have copies of it, so its state is global.
 */
export function switchText(statePath: string, reachedPath: string): string {
  return `import { appendFileSync, readFileSync } from 'node:fs'

function start() {
  const { active } = JSON.parse(readFileSync(${JSON.stringify(statePath)}, 'utf8'))
  return { active, reached: new Set() }
}

const state = (globalThis[Symbol.for('braidwork.mutants')] ??= start())

export function stryMutAct_9fa48(number) {
  return state.active === number
}

export function stryCov_9fa48(...numbers) {
  if (state.active !== undefined) return
  for (const number of numbers) {
    if (state.reached.has(number)) continue
    state.reached.add(number)
    appendFileSync(${JSON.stringify(reachedPath)}, number + '\\n')
  }
}
`
}

/** A module for mocha's \`--require\` that skips the tests that fail without any mutant. */
export function skipText(statePath: string): string {
  return `import { readFileSync } from 'node:fs'

const { skipped } = JSON.parse(readFileSync(${JSON.stringify(statePath)}, 'utf8'))
const titles = new Set(skipped)

export const mochaHooks = {
  beforeEach() {
    if (titles.has(this.currentTest.fullTitle())) this.skip()
  },
}
`
}

/** The same as `switchText` for Python. */
export function pythonSwitchText(statePath: string, reachedPath: string): string {
  return `import json

with open(${JSON.stringify(statePath)}, encoding="utf-8") as _file:
    _active = json.load(_file).get("active")
_reached = set()


def mutant(number):
    if _active is None and number not in _reached:
        _reached.add(number)
        with open(${JSON.stringify(reachedPath)}, "a", encoding="utf-8") as file:
            file.write(number + "\\n")
    return number == _active
`
}
