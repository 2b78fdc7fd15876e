import type { Config } from 'braidwork/plugin'
import { presetOf, serverOf } from './server.ts'
import { NAME, settingsOf } from './settings.ts'

/** The models on offer without asking: those of the settings, or of the preset. */
export function modelsOf(config: Config): readonly string[] {
  const { models } = settingsOf(config)
  return models && models.length > 0 ? models : (presetOf(config)?.models ?? [])
}

/** What can be asked of `config.model`, or of the first model on offer. */
export function tagsOf(config: Config, models: readonly string[]): readonly string[] {
  const server = serverOf(config)
  const { dialect } = server
  const { preset } = settingsOf(config)
  return [
    NAME,
    ...(preset ? [preset] : []),
    'chat-completions',
    'text',
    'streaming',
    'tools',
    'parallel-tools',
    ...(dialect.formats.includes('json-schema') ? ['structured-output'] : []),
    ...(dialect.files.includes('image') ? ['vision'] : []),
    ...(dialect.files.includes('document') ? ['files'] : []),
    ...(server.reasons(config.model ?? models[0] ?? '') ? ['reasoning'] : []),
  ]
}
