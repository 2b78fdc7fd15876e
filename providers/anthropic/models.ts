import { modelData, settingsOf, withoutDate } from '@braidwork/model-api'
import { type Config, isObject, type ModelInfo } from '@braidwork/plugin'
import { ANTHROPIC } from './profile.ts'
import type { AnthropicSettings } from './settings.ts'

/** The capabilities of a model family, which decide how requests are built. */
export interface Family {
  readonly contextWindow?: number
  readonly maxOutputTokens: number
  /** `none`, `budget` (a number of tokens) or `adaptive` (the model decides, guided by an effort). */
  readonly thinking: 'none' | 'budget' | 'adaptive'
  /** Whether the model also accepts a budget beside the effort. */
  readonly takesBudget: boolean
  /** How to turn thinking off. With `between_tools` the model still thinks between its tool calls. */
  readonly quiet: 'disabled' | 'between_tools' | 'never'
  readonly efforts: readonly string[]
  /** The efforts that are allowed when thinking is off. */
  readonly quietEfforts: readonly string[]
  /** Whether the model accepts temperature, top_p and top_k. */
  readonly takesSampling: boolean
  readonly forcedTool: 'always' | 'without-thinking' | 'never'
  /** Whether the API can make its answers and tool calls follow a schema. */
  readonly takesSchemas: boolean
  /** Whether the model filters web search results with code, as the latest tool versions require. */
  readonly filtersFindings: boolean
}

const OLD: Family = {
  contextWindow: 200_000,
  maxOutputTokens: 4096,
  thinking: 'none',
  takesBudget: false,
  quiet: 'disabled',
  efforts: [],
  quietEfforts: [],
  takesSampling: true,
  forcedTool: 'without-thinking',
  takesSchemas: false,
  filtersFindings: false,
}

const BUDGET: Family = { ...OLD, maxOutputTokens: 64_000, thinking: 'budget', takesBudget: true }
const BUDGET_AND_SCHEMAS: Family = { ...BUDGET, takesSchemas: true }

const ALL_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max']
const UP_TO_HIGH = ['low', 'medium', 'high']

const ADAPTIVE: Family = {
  contextWindow: 1_000_000,
  maxOutputTokens: 128_000,
  thinking: 'adaptive',
  takesBudget: false,
  quiet: 'disabled',
  efforts: ALL_EFFORTS,
  quietEfforts: ALL_EFFORTS,
  takesSampling: false,
  forcedTool: 'always',
  takesSchemas: true,
  filtersFindings: true,
}

const WITH_BOTH: Family = {
  ...ADAPTIVE,
  takesBudget: true,
  efforts: ['low', 'medium', 'high', 'max'],
  quietEfforts: ['low', 'medium', 'high', 'max'],
  takesSampling: true,
  forcedTool: 'without-thinking',
}

const SELDOM_QUIET: Family = { ...ADAPTIVE, quietEfforts: UP_TO_HIGH }
const ALWAYS: Family = { ...ADAPTIVE, quiet: 'never' }
const UNFORCED: Family = { ...ALWAYS, forcedTool: 'never' }

/**
 * Families by the prefix of their models' ids, longer prefixes first. Context windows and output limits:
 * https://platform.claude.com/docs/en/about-claude/models/overview, and for windows the data of
 * @pydantic/genai-prices (2026-11). Thinking, efforts, sampling and forced tools:
 * https://platform.claude.com/docs/en/build-with-claude/thinking, .../effort and each model's migration guide
 * (a forced tool beside adaptive thinking from Opus 4.8 on: langchain-ai/langchain-aws#1151). Schemas:
 * .../structured-outputs. Filters: https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool.
 */
const FAMILIES: readonly (readonly [id: string, family: Family])[] = [
  ['claude-sonnet-5-5', { ...UNFORCED, quiet: 'between_tools', quietEfforts: UP_TO_HIGH }],
  ['claude-opus-5-5', UNFORCED],
  ['claude-haiku-5-5', { ...SELDOM_QUIET, filtersFindings: false }],
  ['claude-fable-5-', UNFORCED],
  ['claude-fable-5', ALWAYS],
  ['claude-mythos-5-', UNFORCED],
  ['claude-mythos', ALWAYS],
  ['claude-opus-5', SELDOM_QUIET],
  ['claude-sonnet-5', ADAPTIVE],
  ['claude-opus-4-8', ADAPTIVE],
  ['claude-opus-4-7', { ...ADAPTIVE, forcedTool: 'without-thinking' }],
  ['claude-opus-4-6', WITH_BOTH],
  ['claude-sonnet-4-6', WITH_BOTH],
  ['claude-opus-4-5', { ...BUDGET_AND_SCHEMAS, efforts: UP_TO_HIGH, quietEfforts: UP_TO_HIGH }],
  ['claude-sonnet-4-5', BUDGET_AND_SCHEMAS],
  ['claude-haiku-4-5', BUDGET_AND_SCHEMAS],
  ['claude-opus-4-1', { ...BUDGET_AND_SCHEMAS, maxOutputTokens: 32_000 }],
  ['claude-opus-4', { ...BUDGET, maxOutputTokens: 32_000 }],
  ['claude-sonnet-4', BUDGET],
  ['claude-3-7-sonnet', BUDGET],
  ['claude-3-5', { ...OLD, maxOutputTokens: 8192 }],
  ['claude-3', OLD],
]

/** The models offered without asking the API; the first is the default. */
const MODELS = [
  'claude-sonnet-5-5',
  'claude-opus-5-5',
  'claude-haiku-5-5',
  'claude-fable-5-2',
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

/**
 * The family of a model. An unknown model counts as the newest family. The API refuses settings that the model does
 * not support.
 */
export function familyOf(id: string): Family {
  return FAMILIES.find(([start]) => id.startsWith(start))?.[1] ?? ADAPTIVE
}

export function modelsOf(config: Config): readonly string[] {
  const { models } = settingsOf<AnthropicSettings>(config, ANTHROPIC)
  return models && models.length > 0 ? models : MODELS
}

/** Prices that are missing from the price library: https://platform.claude.com/docs/en/about-claude/pricing. */
const PRICES: { readonly [id: string]: NonNullable<ModelInfo['price']> } = {
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'claude-fable-5-2': { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    tiers: [{ over: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }],
  },
}

/** The known facts of a model. Prices, and windows of families without one, come from the price library. */
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

/** The config's model, or the default. */
export function modelOf(config: Config): string {
  return config.model ?? modelsOf(config)[0] ?? ''
}

/** The tags of `config.model`, or of the default model. */
export function tagsOf(config: Config, models: readonly string[]): readonly string[] {
  const { thinking, takesSchemas } = familyOf(config.model ?? models[0] ?? '')
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
    'vision',
    'files',
    'prompt-caching',
    ...(takesSchemas ? ['structured-output'] : []),
    ...(thinking === 'none' ? [] : ['reasoning']),
    ...(hosted.length > 0 ? ['provider-tools'] : []),
    ...(compacts(settings) ? ['own-compaction'] : []),
  ]
}

/** Whether the API is asked to compact long conversations by itself. */
function compacts({ context_management: context }: AnthropicSettings): boolean {
  const edits = context?.['edits']
  const types = Array.isArray(edits)
    ? edits.map((edit: unknown) => isObject(edit) && edit['type'])
    : []
  return types.some((type) => typeof type === 'string' && type.startsWith('compact_'))
}
