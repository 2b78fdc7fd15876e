import type { Kind } from '../../../src/plugin/kinds.ts'
import { type SuiteOptions, suiteOf } from '../../../src/testing/index.ts'

export interface Planted<Plugin> {
  /** What is wrong with the plugin. */
  readonly bug: string
  /** The names of the checks that fail, and no others. */
  readonly caught: readonly string[]
  /** The names of checks that fail too if the answer is slow. */
  readonly perhaps?: readonly string[]
  /** What the suite must be given to catch it. */
  readonly options?: SuiteOptions
  /** Puts the bug into a correct plugin. */
  readonly plant: (correct: Plugin) => unknown
}

/** The names of the checks that a plugin fails, in order. */
export async function failing(
  kind: Kind,
  plugin: unknown,
  options: SuiteOptions = {},
): Promise<readonly string[]> {
  const suite = suiteOf(kind, plugin, options)
  const failed: string[] = []
  for (const { name, run } of suite.checks) await run().catch(() => failed.push(name))
  await suite.close().catch(() => undefined)
  return failed
}
