import type { Config, ModelInfo } from 'braidwork/plugin'
import { modelData, withoutDate } from '../model-api/model-data.ts'
import { settingsOf } from '../model-api/settings.ts'
import { ANTHROPIC } from './profile.ts'
import type { AnthropicSettings } from './settings.ts'

/** What a model of a family can do; the requests of a model depend on it. */
export interface Family {
  readonly contextWindow?: number
  readonly maxOutputTokens: number
  /** Not at all, with a budget of tokens, or as much as the model finds right, by an effort. */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** Whether a budget is taken beside the effort. */
  readonly takesBudget: boolean
  /** Whether it cannot be told not to think. */
  readonly alwaysThinks: boolean
  readonly efforts: readonly string[]
  /** Whether it takes a temperature, top_p and top_k. */
  readonly takesSampling: boolean
  /** Whether a tool may be forced. */
  readonly takesForcedTool: boolean
}

const OLD: Family = {
  contextWindow: 200_000,
  maxOutputTokens: 4096,
  thinking: 'none',
  takesBudget: false,
  alwaysThinks: false,
  efforts: [],
  takesSampling: true,
  takesForcedTool: true,
}

const BUDGET: Family = { ...OLD, maxOutputTokens: 64_000, thinking: 'budget', takesBudget: true }

const ADAPTIVE: Family = {
  ...OLD,
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  thinking: 'adaptive',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  takesSampling: false,
}

const WITH_BOTH: Family = {
  ...ADAPTIVE,
  takesBudget: true,
  efforts: ['low', 'medium', 'high', 'max'],
  takesSampling: true,
}

const ALWAYS: Family = { ...ADAPTIVE, alwaysThinks: true }
const UNFORCED: Family = { ...ALWAYS, takesForcedTool: false }

/**
 * Families by the beginning of their models' ids, the longer first. Windows and outputs:
 * https://platform.claude.com/docs/en/about-claude/models/overview, and for windows the data of
 * @pydantic/genai-prices (2026-11); thinking and effort:
 * https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and .../effort.
 */
const FAMILIES: readonly (readonly [id: string, family: Family])[] = [
  ['claude-sonnet-5-5', UNFORCED],
  ['claude-opus-5-5', UNFORCED],
  ['claude-haiku-5-5', ADAPTIVE],
  ['claude-fable-5-', UNFORCED],
  ['claude-fable-5', ALWAYS],
  ['claude-mythos', ALWAYS],
  ['claude-opus-5', ADAPTIVE],
  ['claude-sonnet-5', ADAPTIVE],
  ['claude-opus-4-8', ADAPTIVE],
  ['claude-opus-4-7', ADAPTIVE],
  ['claude-opus-4-6', WITH_BOTH],
  ['claude-sonnet-4-6', WITH_BOTH],
  ['claude-opus-4-5', { ...BUDGET, efforts: ['low', 'medium', 'high'] }],
  ['claude-sonnet-4', BUDGET],
  ['claude-haiku-4-5', BUDGET],
  ['claude-opus-4', { ...BUDGET, maxOutputTokens: 32_000 }],
  ['claude-3-7-sonnet', BUDGET],
  ['claude-3-5', { ...OLD, maxOutputTokens: 8192 }],
  ['claude-3', OLD],
]

/** The models on offer without asking, the usual choice first. */
const MODELS = [
  'claude-sonnet-5-5',
  'claude-opus-5-5',
  'claude-haiku-5-5',
  'claude-fable-5-1',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-opus-4-5',
  'claude-haiku-4-5',
] as const

/** The family of a model; of one that is not known, the newest: what it lacks, the API says. */
export function familyOf(id: string): Family {
  return FAMILIES.find(([start]) => id.startsWith(start))?.[1] ?? ADAPTIVE
}

export function modelsOf(config: Config): readonly string[] {
  const { models } = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  return models && models.length > 0 ? models : MODELS
}

/** Prices that the library does not have: https://platform.claude.com/docs/en/about-claude/pricing. */
const PRICES: { readonly [id: string]: NonNullable<ModelInfo['price']> } = {
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    tiers: [{ over: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }],
  },
}

/** What is known of a model; prices, and windows of families without one, are the library's. */
export function modelInfo(id: string): Promise<ModelInfo> {
  return modelData(id, { list: ANTHROPIC.name, known: knownOf(id) })
}

function knownOf(id: string): ModelInfo | undefined {
  const known = FAMILIES.find(([start]) => id.startsWith(start))
  if (!known) return undefined
  const [, { contextWindow, maxOutputTokens }] = known
  const base = withoutDate(id)
  const price = Object.hasOwn(PRICES, base) ? PRICES[base] : undefined
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    maxOutputTokens,
    input: ['text', 'image', 'file'],
    output: ['text'],
    ...(price ? { price } : {}),
  }
}

/** What can be asked of `config.model`, or of the first model on offer. */
export function tagsOf(config: Config, models: readonly string[]): readonly string[] {
  const model = config.model ?? models[0] ?? ''
  const settings = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  const hosted = [...(settings.hosted_tools ?? []), ...(settings.mcp_servers ?? [])]
  return [
    ANTHROPIC.name,
    'messages',
    'text',
    'streaming',
    'tools',
    'parallel-tools',
    'history-repair',
    'structured-output',
    'vision',
    'files',
    'prompt-caching',
    ...(familyOf(model).thinking === 'none' ? [] : ['reasoning']),
    ...(hosted.length > 0 ? ['provider-tools'] : []),
  ]
}
