import type { Config, Context, Provider } from '@braidwork/plugin'
import { embedTexts } from './embed.ts'
import { providerError } from './errors.ts'
import { toMessage } from './from-native.ts'
import { Gathering } from './gathering.ts'
import type { Chunk, NativeAnswer } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import { CONFIG_SCHEMA, readSettings, type ScriptedSettings } from './settings.ts'
import { DEFAULT_MODEL, SMALL_MODEL, TOOLS, toRequest } from './to-native.ts'
import { callAnswer, streamAnswer } from './transmit.ts'

const SETTINGS = 'settings'
const GATHERING = 'gathering'

const MODEL_INFO = {
  [DEFAULT_MODEL]: { contextWindow: 128_000, maxOutputTokens: 32_000 },
  [SMALL_MODEL]: { contextWindow: 16_000, maxOutputTokens: 4_000 },
}

const TAGS = ['scripted-format', 'text', 'streaming', 'structured-output']
const LARGE_MODEL_TAGS = ['reasoning', 'tools']

function tagsOf({ model }: Config): readonly string[] {
  return model === SMALL_MODEL ? TAGS : [...TAGS, ...LARGE_MODEL_TAGS]
}

function infoOf(id: string) {
  const limits = id === SMALL_MODEL ? MODEL_INFO[SMALL_MODEL] : MODEL_INFO[DEFAULT_MODEL]
  return { ...limits, input: ['text'], output: ['text'], price: { input: 0, output: 0 } }
}

function gatheringOf({ local }: Context): Gathering {
  const known = local.get(GATHERING)
  if (known instanceof Gathering) return known
  const gathering = new Gathering()
  local.set(GATHERING, gathering)
  return gathering
}

export default {
  kind: 'provider',
  name: 'scripted',
  configSchema: CONFIG_SCHEMA,

  getModels: () => [DEFAULT_MODEL, SMALL_MODEL],
  getModelInfo: infoOf,
  getTags: tagsOf,

  embed: (inputs, options) => embedTexts(inputs, options),

  async init(config, { local }) {
    local.set(TOOLS, config.tools)
    local.set(SETTINGS, await readSettings(config))
    return { model: config.model ?? DEFAULT_MODEL }
  },

  toNative(messages, _state, context) {
    return toRequest(messages, context.local.get(SETTINGS) as ScriptedSettings, context)
  },

  async call(native, state, context) {
    return [[], [await callAnswer(native, context)], native, state]
  },

  stream(native, _state, context) {
    // Creating it here marks the request as streaming, so that a stream without any chunk is detected.
    gatheringOf(context)
    return streamAnswer(native, context)
  },

  processChunk(chunk, native, state, context) {
    const gathering = gatheringOf(context)
    const events = gathering.add(chunk)
    return [events, gathering.answer ? [gathering.answer] : [], native, state]
  },

  finalize(native, state, { local }) {
    const gathering = local.get(GATHERING)
    if (gathering instanceof Gathering && !gathering.answer) throw providerError('cut')
    return [[], native, state]
  },

  fromNative: (natives) => natives.map((native) => toMessage(native as NativeAnswer)),
} satisfies Provider<ScriptedRequest, { readonly model: string }, Chunk>
