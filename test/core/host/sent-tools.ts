import { expect } from 'chai'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { PRESETS } from '../../../providers/openai-compatible/presets.ts'
import scripted from '../../../providers/scripted/index.ts'
import {
  type CallerTool,
  type ConfigLayer,
  createHost,
  type Host,
  type LoweredTool,
} from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { tool } from '../../helpers/plugins.ts'

/** A tool as it stands in a request, whatever the API calls its parts. */
interface Sent {
  readonly name: string
  readonly input_schema: JsonObject
  readonly strict: boolean
}

interface NativeTool {
  readonly function?: NativeTool
  readonly name: string
  readonly parameters?: JsonObject
  readonly input_schema?: JsonObject
  readonly strict?: boolean
}

export const KEY = { api_key: 'sk-test-0123456789', base_url: 'https://nowhere.test/v1' }
const STRICT = [undefined, true, false]

export function configsOf(
  provider: string,
  model: string,
  settings: object,
): readonly ConfigLayer[] {
  return STRICT.map((strict) => {
    const told = strict === undefined ? {} : { strict_tools: strict }
    return { provider, model, settings: { [provider]: { ...KEY, ...settings, ...told } } }
  })
}

/** Each shipped provider in all the ways in which its requests have tools. */
export const CONFIGS: readonly ConfigLayer[] = [
  { provider: 'scripted' },
  ...configsOf('openai', 'gpt-5', { api: 'responses' }),
  ...configsOf('openai', 'gpt-5', { api: 'chat' }),
  ...configsOf('anthropic', 'claude-sonnet-5-5', {}),
  ...configsOf('anthropic', 'claude-3-haiku-20240307', {}),
  ...configsOf('openai-compatible', 'some-model', {}),
  ...Object.keys(PRESETS).flatMap((preset) =>
    configsOf('openai-compatible', 'some-model', { preset }),
  ),
]

/** All of them; in the default tier those of few presets, others for each `start`. */
export function someConfigs(start = 0): readonly ConfigLayer[] {
  const presets = CONFIGS.filter(({ settings = {} }) => presetIn(settings))
  const some = new Set(sampled(presets, 5, start))
  return CONFIGS.filter((config) => !presets.includes(config) || some.has(config))
}

function presetIn(settings: NonNullable<ConfigLayer['settings']>): boolean {
  return settings['openai-compatible']?.['preset'] !== undefined
}

export function titleOf({ provider, model, settings = {} }: ConfigLayer): string {
  const { api, preset, strict_tools: strict } = settings[String(provider)] ?? {}
  const facts = [provider, api ?? preset, model, strict === undefined ? '' : `strict ${strict}`]
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ')
}

/** A host whose tools have the schemas of a list that its tests fill. */
export function hostOffering(schemas: () => readonly JsonObject[]): Promise<Host> {
  const getToolSchemas = () =>
    schemas().map((input_schema, at) => ({ name: `t${at}`, description: 'Acts', input_schema }))
  const plugins = [scripted, openai, anthropic, openaiCompatible, tool('acts', { getToolSchemas })]
  return createHost({ plugins })
}

async function sentBy(
  host: Host,
  config: ConfigLayer,
  tools: readonly CallerTool[],
): Promise<readonly Sent[]> {
  const { native } = await host.dryRun(config, 'Hello', { tools })
  const { tools: sent = [] } = native as { readonly tools?: readonly NativeTool[] }
  return sent.map((one) => {
    const { name, parameters, input_schema, strict } = one.function ?? one
    return { name, input_schema: (input_schema ?? parameters)!, strict: strict === true }
  })
}

/** Asks the door and the request for the same; gives what the door shows. */
export async function assertSame(
  host: Host,
  config: ConfigLayer,
  tools: readonly CallerTool[] = [],
): Promise<readonly LoweredTool[]> {
  const shown = await host.toolSchemas(config, { for: 'provider', tools })
  const promised = shown.map(({ name, input_schema, strict = false }) => ({
    name,
    input_schema,
    strict,
  }))
  expect(await sentBy(host, config, tools)).to.deep.equal(promised)
  return shown
}
