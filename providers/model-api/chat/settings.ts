import type { ConnectionSettings } from '../settings.ts'

/** Settings of a provider that speaks chat completions. */
export interface ChatSettings extends ConnectionSettings {
  readonly strict_tools?: boolean
}
