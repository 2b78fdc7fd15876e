/**
 * Reads scenarios from standard input, one per line, and prints their results like `oracle.py run`. With --python the
 * plugins run in Python, with --mixed every other one; the end of the output says how many hooks ran in which language.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { scriptOptions } from './options.ts'
import { PythonScenarios } from './python-scenarios.ts'
import { runScenario, toPythonJson } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

const ORACLE = join(import.meta.dirname, '..', '..', 'shared', 'oracle', 'oracle.py')

const { values } = scriptOptions({
  options: { python: { type: 'boolean' }, mixed: { type: 'boolean' } },
})
const languages = values.python ? 'python' : values.mixed ? 'mixed' : undefined
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
