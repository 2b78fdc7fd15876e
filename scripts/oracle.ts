/**
 * Reads scenarios on standard input, a line each, and prints what came of each as `oracle.py run` does.
 * With --python their plugins run in Python, with --mixed every other one; what ran where is said at the end.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Scenario } from './declared-plugins.ts'
import { PythonScenarios } from './python-scenarios.ts'
import { runScenario, toPythonJson } from './run-scenario.ts'

const ORACLE = join(import.meta.dirname, '..', '..', 'shared', 'oracle', 'oracle.py')

const [languages] = process.argv.slice(2).map((option) => option.replace(/^--/, ''))
if (languages !== undefined && languages !== 'python' && languages !== 'mixed') {
  throw new TypeError(`There is no option "--${languages}"; there are --python and --mixed.`)
}
const python = languages && (await PythonScenarios.make(languages, ORACLE))

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const result = await runScenario(JSON.parse(line) as Scenario, python?.build)
  process.stdout.write(`${toPythonJson(result)}\n`)
}

if (python) {
  const { typescript, python: inPython, crossings } = python.ran
  console.error(
    `hooks: ${typescript} in TypeScript, ${inPython} in Python; crossings: ${crossings}`,
  )
  await python.close()
}
