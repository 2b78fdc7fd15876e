import type { Config, Diagnostic } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import type { Recording } from '../hooks/index.ts'
import type { EnabledPlugins, Resolution } from '../resolve/index.ts'
import type { Elements } from './elements.ts'
import type { Descriptions } from './titles.ts'

/** Choices that an API may be asked for again, by `host.refreshModels(config)`. */
export interface DynamicChoices {
  /** Into the data. */
  readonly pointer: string
  /** Into the config: when one of these changes, what was asked for before no longer holds. */
  readonly dependsOn: readonly string[]
  readonly refresh: 'refreshModels'
}

/** What a settings document is made of. */
export interface SettingsInput {
  /** All that are registered. */
  readonly plugins: readonly AnyPlugin[]
  readonly enabled: EnabledPlugins
  readonly resolution: Resolution
  /** The config as it may be shown: every secret is `{"$secret": true}`. */
  readonly masked: Config
  /** Of what resolution and form hooks read. */
  readonly recording: Recording
  /** By plugin, what its `getUiElements` came to. */
  readonly elements: ReadonlyMap<string, Elements>
  readonly descriptions: Descriptions
  readonly locale: string
  readonly diagnostics: readonly Diagnostic[]
  readonly dynamic: readonly DynamicChoices[]
}
