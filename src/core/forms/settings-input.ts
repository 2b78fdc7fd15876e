import type { Config, Diagnostic } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Recording } from '../recording.ts'
import type { EnabledPlugins, Resolution } from '../resolve/index.ts'
import type { Elements } from './elements.ts'
import type { Descriptions } from './titles.ts'

/** Choices that `host.refreshModels(config)` can request from an API again. */
export interface DynamicChoices {
  /** JSON pointer into the data. */
  readonly pointer: string
  /** JSON pointers into the config. When one of these values changes, the choices are out of date. */
  readonly dependsOn: readonly string[]
  readonly refresh: 'refreshModels'
}

/** The input for a settings document. */
export interface SettingsInput {
  /** All registered plugins. */
  readonly plugins: readonly AnyPlugin[]
  readonly enabled: EnabledPlugins
  readonly resolution: Resolution
  /** The config with every secret as `{"$secret": true}`. */
  readonly masked: Config
  /** The values that resolution and form hooks have read. */
  readonly recording: Recording
  /** The checked answer of each plugin's `getUiElements`. */
  readonly elements: ReadonlyMap<string, Elements>
  readonly descriptions: Descriptions
  readonly locale: string
  readonly diagnostics: readonly Diagnostic[]
  readonly dynamic: readonly DynamicChoices[]
}
