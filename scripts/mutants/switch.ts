/** Stands in built pages for the number of the mutant that is on. */
export const ACTIVE_IN_PAGES = 'braidwork-active-mutant'
/** With the number of a mutant, the line of the console by which a page tells that it reached it. */
const REACHED = 'braidwork-reached-mutant '

/**
 * The module that instrumented files import. It says whether a mutant is on, and notes which mutants were reached, each
 * once a process. It reads the state from a file and not from an environment variable, since tests start processes with
 * environments of their own. Bundles have copies of it, so its state is global. A browser has no files: there the state
 * is a text of the built page, and the console tells which mutants the page reached.
 */
export function switchText(statePath: string, reachedPath: string): string {
  return `const fs = globalThis.process?.getBuiltinModule?.('node:fs')

function inBrowser() {
  const text = '${ACTIVE_IN_PAGES}'
  return { active: /^\\d+$/.test(text) ? text : undefined }
}

function start() {
  const { active } = fs ? JSON.parse(fs.readFileSync(${JSON.stringify(statePath)}, 'utf8')) : inBrowser()
  return { active, reached: new Set() }
}

const state = (globalThis[Symbol.for('braidwork.mutants')] ??= start())

function tell(number) {
  if (fs) fs.appendFileSync(${JSON.stringify(reachedPath)}, number + '\\n')
  else console.debug('${REACHED}' + number)
}

export function stryMutAct_9fa48(number) {
  return state.active === number
}

export function stryCov_9fa48(...numbers) {
  if (state.active !== undefined) return
  for (const number of numbers) {
    if (state.reached.has(number)) continue
    state.reached.add(number)
    tell(number)
  }
}
`
}

/** A module for mocha's `--require` that skips the tests that fail without any mutant. */
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

/**
 * A module for mocha's `--require` that notes the mutants that pages reached.
 * @param playwright - the path of the library by which tests open browsers; where it is missing, they skip themselves
 */
export function pageReachText(playwright: string, reachedPath: string): string {
  return `import { appendFileSync, existsSync } from 'node:fs'

const playwright = ${JSON.stringify(playwright)}
if (existsSync(playwright) && process.argv.some((each) => each.endsWith('.browser.test.ts'))) {
  const { chromium } = await import(playwright)
  const { launch } = chromium
  chromium.launch = async (...options) => listenedTo(await launch.apply(chromium, options))
}

function listenedTo(browser) {
  const { newContext } = browser
  browser.newContext = async (...options) => {
    const context = await newContext.apply(browser, options)
    return context.on('console', (line) => note(line.text()))
  }
  return browser
}

function note(line) {
  const [, number] = line.split('${REACHED}')
  if (number !== undefined) appendFileSync(${JSON.stringify(reachedPath)}, number + '\\n')
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
