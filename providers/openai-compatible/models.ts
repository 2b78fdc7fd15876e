import { modelData, withoutDate } from '@braidwork/model-api'
import type { Config, ModelInfo } from '@braidwork/plugin'
import { CATALOGUES } from './known-models.ts'
import { presetOf, serverOf } from './server.ts'
import { NAME, settingsOf } from './settings.ts'

/** The models offered without asking the server: those of the settings, or of the preset. */
export function modelsOf(config: Config): readonly string[] {
  const { models } = settingsOf(config)
  return models && models.length > 0 ? models : (presetOf(config)?.models ?? [])
}

/** The known data of a preset's model; empty for any other server. */
export async function modelInfo(id: string, config: Config): Promise<ModelInfo> {
  const { preset } = settingsOf(config)
  const catalog = preset && CATALOGUES[preset]
  if (!catalog) return {}
  const { list, models } = catalog
  const row = [id, withoutDate(id)].find((name) => Object.hasOwn(models, name))
  return modelData(id, { list, known: row === undefined ? undefined : models[row] })
}

/** The tags of `config.model`, or of the default model. */
export function tagsOf(config: Config, models: readonly string[]): readonly string[] {
  const model = config.model ?? models[0] ?? ''
  const server = serverOf(config, model)
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
    'history-repair',
    ...(dialect.formats.includes('json-schema') ? ['structured-output'] : []),
    ...(dialect.files.includes('image') ? ['vision'] : []),
    ...(dialect.files.some((kind) => kind === 'pdf' || kind === 'document') ? ['files'] : []),
    ...(server.reasons(model) ? ['reasoning'] : []),
  ]
}
