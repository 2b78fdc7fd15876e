import { modelData, settingsOf, withoutDate } from '@braidwork/model-api'
import type { Config, ModelInfo } from '@braidwork/plugin'
import { OPENAI } from './profile.ts'
import type { OpenAISettings } from './settings.ts'

interface Model {
  readonly contextWindow: number
  readonly maxOutputTokens: number
  readonly reasons: boolean
}

const reasoning = (contextWindow: number, maxOutputTokens: number): Model => ({
  contextWindow,
  maxOutputTokens,
  reasons: true,
})
const plain = (contextWindow: number, maxOutputTokens: number): Model => ({
  contextWindow,
  maxOutputTokens,
  reasons: false,
})

/**
 * The models offered without asking the API; the first is the default. Context windows agree with the data of
 * @pydantic/genai-prices (2026-11); if that is rounded, and for output limits, the figures are OpenAI's
 * (https://developers.openai.com/api/docs/models).
 */
const MODELS: ReadonlyMap<string, Model> = new Map([
  ['gpt-5.6-terra', reasoning(1_050_000, 128_000)],
  ['gpt-6-astra', reasoning(1_050_000, 128_000)],
  ['gpt-6-sol', reasoning(1_050_000, 128_000)],
  ['gpt-6-luna', reasoning(1_050_000, 128_000)],
  ['gpt-5.6-sol', reasoning(1_050_000, 128_000)],
  ['gpt-5.6-luna', reasoning(1_050_000, 128_000)],
  ['gpt-5.5', reasoning(1_050_000, 128_000)],
  ['gpt-5.4', reasoning(1_050_000, 128_000)],
  ['gpt-5.4-mini', reasoning(400_000, 128_000)],
  ['gpt-5.4-nano', reasoning(400_000, 128_000)],
  ['gpt-5.2', reasoning(400_000, 128_000)],
  ['gpt-5.1', reasoning(400_000, 128_000)],
  ['gpt-5', reasoning(400_000, 128_000)],
  ['gpt-5-mini', reasoning(400_000, 128_000)],
  ['gpt-5-nano', reasoning(400_000, 128_000)],
  ['o3', reasoning(200_000, 100_000)],
  ['o4-mini', reasoning(200_000, 100_000)],
  ['gpt-4.1', plain(1_047_576, 32_768)],
  ['gpt-4.1-mini', plain(1_047_576, 32_768)],
  ['gpt-4.1-nano', plain(1_047_576, 32_768)],
  ['gpt-4o', plain(128_000, 16_384)],
  ['gpt-4o-mini', plain(128_000, 16_384)],
])

const REASONS = /^(o\d|gpt-[5-9]|codex|computer-use)/
const CHATS = /-chat\b/

function modelOf(id: string): Model | undefined {
  return MODELS.get(withoutDate(id))
}

/** Whether a model reasons before it answers. If so it takes an effort and no temperature. */
export function reasons(id: string): boolean {
  return modelOf(id)?.reasons ?? (REASONS.test(id) && !CHATS.test(id))
}

export function modelsOf(config: Config): readonly string[] {
  const { models } = settingsOf<OpenAISettings>(config, OPENAI)
  return models && models.length > 0 ? models : [...MODELS.keys()]
}

/** The known data of a model. Prices, and data missing from the table above, come from the library. */
export function modelInfo(id: string): Promise<ModelInfo> {
  const model = modelOf(id)
  return modelData(id, { list: OPENAI.name, known: model && knownOf(model) })
}

function knownOf({ contextWindow, maxOutputTokens }: Model): ModelInfo {
  return { contextWindow, maxOutputTokens, input: ['text', 'image', 'file'], output: ['text'] }
}

/** The tags of `config.model`, or of the default model. */
export function tagsOf(config: Config, models: readonly string[]): readonly string[] {
  const model = config.model ?? models[0] ?? ''
  const settings = settingsOf<OpenAISettings>(config, OPENAI)
  const isChat = settings.api === 'chat'
  const hosted = !isChat && (settings.hosted_tools ?? []).length > 0
  return [
    OPENAI.name,
    isChat ? 'chat-completions' : 'responses',
    'text',
    'streaming',
    'tools',
    'parallel-tools',
    'history-repair',
    'structured-output',
    'vision',
    'files',
    ...(reasons(model) ? ['reasoning'] : []),
    ...(hosted ? ['provider-tools'] : []),
    ...(!isChat && compacts(settings) ? ['own-compaction'] : []),
  ]
}

/** Whether the API is asked to compact long conversations by itself. */
function compacts({ context_management: edits = [] }: OpenAISettings): boolean {
  return edits.some(({ type }) => type === 'compaction')
}
