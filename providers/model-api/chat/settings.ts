import type { ConnectionSettings } from '../settings.ts'

/** The settings of a provider with a chat completions API. */
export interface ChatSettings extends ConnectionSettings {
  readonly strict_tools?: boolean
}
