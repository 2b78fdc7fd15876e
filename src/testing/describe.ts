import { refuseMisspelled } from '@braidwork/core/internal'
import type { Kind } from '@braidwork/plugin'
import { SUITE_OPTIONS, type SuiteOptions } from './harness/index.ts'
import { suiteOf } from './suite.ts'

/** The functions of a test runner. By default, its globals are used. */
export interface Runner {
  readonly describe: (name: string, run: () => void) => unknown
  readonly it: (name: string, run: () => Promise<void>) => unknown
  /** Runs after the last test of a `describe`. */
  readonly after?: (run: () => Promise<void>) => unknown
}

/** Options of a suite, and the functions of a runner without globals. */
export interface DescribeOptions extends SuiteOptions {
  readonly runner?: Runner
}

const DESCRIBE_OPTIONS = [...SUITE_OPTIONS, 'runner'] satisfies (keyof DescribeOptions)[]
const DESCRIBERS: { readonly [K in Kind]: string } = {
  provider: 'describeProvider',
  extension: 'describeExtension',
  feature: 'describeFeature',
  tool: 'describeTool',
}

/**
 * Registers the tests of a provider (an object, or the path or name of a TypeScript or Python plugin) in mocha, vitest
 * or jest, or in the runner of the options. For a provider of an HTTP API, pass `api`.
 * @throws if no runner is there; {HostError} OPTION_INVALID for a misspelled option
 */
export function describeProvider(plugin: unknown, options: DescribeOptions = {}): void {
  describePlugin('provider', plugin, options)
}

/** Registers the tests of an extension. {@link describeProvider} says what is passed, and thrown. */
export function describeExtension(plugin: unknown, options: DescribeOptions = {}): void {
  describePlugin('extension', plugin, options)
}

/** Registers the tests of a feature. {@link describeProvider} says what is passed, and thrown. */
export function describeFeature(plugin: unknown, options: DescribeOptions = {}): void {
  describePlugin('feature', plugin, options)
}

/** Registers the tests of a tool; pass `calls`. {@link describeProvider} says the rest. */
export function describeTool(plugin: unknown, options: DescribeOptions = {}): void {
  describePlugin('tool', plugin, options)
}

function describePlugin(kind: Kind, plugin: unknown, options: DescribeOptions): void {
  refuseMisspelled(DESCRIBERS[kind], options, DESCRIBE_OPTIONS)
  const { runner = globalRunner(), ...surroundings } = options
  runner.describe(`${kind} ${titleOf(plugin)}`, () => {
    const suite = suiteOf(kind, plugin, surroundings)
    runner.after?.(suite.close)
    for (const { name, run } of suite.checks)
      runner.it(
        name,
        // Runners look at the number of parameters, and wait for a callback where there is one.
        async function (this: unknown, ...given: readonly unknown[]) {
          const skipped = await run()
          if (skipped !== undefined) skip([given[0], this], skipped)
        },
      )
  })
}

/** Marks the test as skipped, where the runner lets a test do that by its argument or by `this`. */
function skip(tests: readonly unknown[], reason: string): void {
  const marks = tests.flatMap((test) => {
    const { skip: mark } = (test ?? {}) as { readonly skip?: (reason: string) => void }
    return typeof mark === 'function' ? [() => mark.call(test, reason)] : []
  })
  marks[0]?.()
}

function titleOf(plugin: unknown): string {
  if (typeof plugin === 'string') return plugin
  return String((plugin as { readonly name?: unknown } | null)?.name)
}

function globalRunner(): Runner {
  const { describe, it, after, afterAll } = globalThis as unknown as {
    readonly [name: string]: unknown
  }
  if (typeof describe !== 'function' || typeof it !== 'function')
    throw new TypeError(
      'There is no global "describe" and "it". Pass those of the test runner: { runner: { describe, it, after } }.',
    )
  const last = after ?? afterAll
  const ending = typeof last === 'function' ? { after: last as NonNullable<Runner['after']> } : {}
  return { describe: describe as Runner['describe'], it: it as Runner['it'], ...ending }
}
