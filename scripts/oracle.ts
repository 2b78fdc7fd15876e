/** Reads scenarios on standard input, a line each, and prints what came of each as `oracle.py run` does. */
import { createInterface } from 'node:readline'
import type { Scenario } from './declared-plugins.ts'
import { runScenario, toPythonJson } from './run-scenario.ts'

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  process.stdout.write(`${toPythonJson(await runScenario(JSON.parse(line) as Scenario))}\n`)
}
