import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { pythonLoader } from '../../src/core/load/python-loader.ts'
import type { AnyPlugin } from '../../src/plugin/plugin.ts'
import { findPython, type Python } from '../../src/python/venvs/find-python.ts'
import { ROOT } from './source-files.ts'

const run = promisify(execFile)

/** The base interpreter; a suite that needs one is skipped where there is none. */
export async function pythonOf(suite: Mocha.Context): Promise<Python> {
  return findPython().catch((error: unknown) => {
    process.stderr.write(`"${suite.test?.parent?.title}" is skipped: ${String(error)}\n`)
    return suite.skip()
  })
}

/** Runs a program in Python, which finds the package `braidwork` and `doubling.py`, and writes no bytecode. */
export function runPython(python: Python, ...args: readonly string[]) {
  return runPythonWith({}, python, ...args)
}

async function runPythonWith(
  more: { readonly [name: string]: string },
  { executable }: Python,
  ...args: readonly string[]
) {
  const env = {
    ...more,
    PATH: process.env['PATH'],
    PYTHONPATH: ['python', 'test/helpers'].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const options = { cwd: ROOT, env, maxBuffer: 1 << 26 }
  return run(executable, [...args], options)
}

/** The file of a folder whose tests measure growth, which are another tier. */
const GROWTH = 'test_growth.py'

/**
 * Runs the files `test_*.py` of a folder but for that of its growth; each has to say how many tests it ran. Those that
 * take samples need `CASES_ENV`.
 */
export function describePythonTests(
  title: string,
  folder: string,
  env: { readonly [name: string]: string } = {},
): void {
  const files = readdirSync(join(ROOT, folder)).filter((name) => /^test_\w+\.py$/.test(name))
  describePythonFiles(
    title,
    folder,
    files.filter((name) => name !== GROWTH),
    { env },
  )
}

/** Runs the file `test_growth.py` of a folder. */
export function describePythonGrowth(title: string, folder: string): void {
  describePythonFiles(title, folder, [GROWTH], { timeout: 300_000 })
}

function describePythonFiles(
  title: string,
  folder: string,
  files: readonly string[],
  { timeout = 60_000, env = {} }: { timeout?: number; env?: { readonly [name: string]: string } },
): void {
  describe(title, function () {
    this.timeout(timeout)
    let python: Python
    before(async function () {
      python = await pythonOf(this)
    })

    for (const file of files) {
      it(`passes ${file}`, async () => {
        const { stderr } = await runPythonWith(env, python, join(folder, file))
        expect(stderr).to.match(/\nRan [1-9]\d* tests? in [\s\S]*\nOK\n/)
      })
    }
  })
}

/** A plugin of this repository that is written in Python; its interpreter ends with the host that it is given to. */
export function loadPython(folder: string): Promise<AnyPlugin> {
  return pythonLoader().load(join(ROOT, folder, 'plugin.py'))
}
