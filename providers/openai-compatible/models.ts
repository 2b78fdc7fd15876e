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

/** The known data of a preset's model, and what the settings say that it takes; else empty. */
export async function modelInfo(id: string, config: Config): Promise<ModelInfo> {
  const { input } = settingsOf(config)
  return { ...(await knownInfo(id, config)), ...(input ? { input } : {}) }
}

async function knownInfo(id: string, config: Config): Promise<ModelInfo> {
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
  const { preset, input = ['image', 'file'] } = settingsOf(config)
  const hasDocuments = dialect.files.some((kind) => kind === 'pdf' || kind === 'document')
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
    ...(dialect.files.includes('image') && input.includes('image') ? ['vision'] : []),
    ...(hasDocuments && input.includes('file') ? ['files'] : []),
    ...(server.reasons(model) ? ['reasoning'] : []),
  ]
}
