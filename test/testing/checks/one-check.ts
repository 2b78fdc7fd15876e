import type { Kind } from '../../../src/plugin/kinds.ts'
import { type SuiteOptions, suiteOf } from '../../../src/testing/index.ts'

export interface Checked {
  readonly kind: Kind
  readonly plugin: unknown
  readonly options?: SuiteOptions
}

/** What the check of this name says of a plugin: a fault, why it cannot be made, or undefined where it passes. */
export async function saidOf(
  name: string,
  { kind, plugin, options = {} }: Checked,
): Promise<string | undefined> {
  const { checks, close } = suiteOf(kind, plugin, options)
  const check = checks.find((one) => one.name === name)
  if (!check) throw new Error(`no check "${name}"`)
  try {
    return await check.run()
  } catch (error) {
    return (error as Error).message
  } finally {
    await close()
  }
}
