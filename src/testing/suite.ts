import { refuseMisspelled } from '@braidwork/core/internal'
import { HostError, type Kind } from '@braidwork/plugin'
import { CHECKS, type Check, NotJudged } from './checks/index.ts'
import { Harness, SUITE_OPTIONS, type SuiteOptions } from './harness/index.ts'
import { inLanguageOf } from './language.ts'
import { placeOf } from './pages.ts'
import { PluginFault } from './trial.ts'

/** The name of the check that opens the host. If it fails, no other check can be made. */
const LOADS = 'loads without a diagnostic'

/** A check of a suite, for any test runner. */
export interface SuiteCheck {
  readonly name: string
  /** @returns why the check cannot be made; undefined if it passes @throws an error that says what is wrong */
  readonly run: () => Promise<string | undefined>
}

/** The checks of one plugin. They share a host: run them in order, and `close` in the end. */
export interface Suite {
  readonly checks: readonly SuiteCheck[]
  /** Closes the host, if the last check did not. */
  readonly close: () => Promise<void>
}

/**
 * The suite of a kind of plugin. The host opens with the first check that runs.
 * @throws {HostError} OPTION_INVALID for a misspelled option, such as `call`, with which no call would be tried
 */
export function suiteOf(kind: Kind, plugin: unknown, options: SuiteOptions = {}): Suite {
  refuseMisspelled('suiteOf', options, SUITE_OPTIONS)
  let opening: Promise<Harness> | undefined
  const open = (): Promise<Harness> => {
    opening ??= openAs(kind, plugin, options)
    return opening
  }
  const loads: SuiteCheck = { name: LOADS, run: () => open().then(() => undefined) }
  const others = CHECKS[kind].map(
    (check): SuiteCheck => ({
      name: check.name,
      run: async () => {
        const harness = await open().catch(() => undefined)
        return harness ? runCheck(check, harness) : `the plugin does not pass "${LOADS}"`
      },
    }),
  )
  const close = async () => {
    const harness = await opening?.catch(() => undefined)
    await harness?.close()
  }
  return { checks: [loads, ...others], close }
}

async function openAs(kind: Kind, plugin: unknown, options: SuiteOptions): Promise<Harness> {
  const harness = await Harness.open(plugin, options)
  if (harness.trial.plugin.kind === kind) return harness
  const { kind: other, name } = harness.trial.plugin
  await harness.close()
  throw new PluginFault(
    `"${name}" is of kind "${other}", not "${kind}"; use the suite of its kind.`,
  )
}

async function runCheck(check: Check, harness: Harness): Promise<string | undefined> {
  if (!(check.isForAll || (await harness.isOn()))) return 'the plugin is off'
  try {
    await check.run(harness)
    return undefined
  } catch (error) {
    if (error instanceof NotJudged) return error.message
    throw located(error, check, harness.trial.plugin)
  }
}

/** The fault with a link to the docs. */
function located(error: unknown, { about }: Check, plugin: object): unknown {
  const isTold = error instanceof PluginFault || HostError.is(error)
  if (!isTold) return error
  const { message } = inLanguageOf(plugin, new PluginFault(error.message))
  return new PluginFault(`${message}\nSee ${placeOf(about)}`)
}
