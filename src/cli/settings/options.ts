import type { ConfigOptions } from '../options.ts'

export interface SettingsOptions extends ConfigOptions {
  readonly json?: boolean
  /** As typed, not checked yet. */
  readonly format?: string
  readonly locale?: string
  readonly plugin?: string
  readonly edit?: boolean
}
