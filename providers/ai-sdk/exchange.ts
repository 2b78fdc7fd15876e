import { factsOf, repairHistory } from '@braidwork/model-api/exchange'
import {
  type Config,
  type Context,
  isObject,
  type JsonObject,
  type Message,
  type ModelTool,
  type PartialEvent,
  type ToolCallPart,
} from '@braidwork/plugin'
import { type Ask, generate, stream } from './ask.ts'
import { profileOf } from './errors.ts'
import { checkedFiles } from './files.ts'
import { Gathering } from './gathering.ts'
import { type AiSdkProvider, type LoadedModel, loadModel } from './load-model.ts'
import { messageOf, PLAIN_ID } from './message.ts'
import type { Specification } from './model-types.ts'
import { takenBy } from './packages.ts'
import type { NativePart } from './parts.ts'
import { promptOf } from './prompt.ts'
import { requestOf } from './request.ts'

export interface State {
  readonly model: string
  /** The name of the model API in the AI SDK, such as `openai.responses`. */
  readonly provider: string
  readonly specification: Specification
  readonly [key: string]: unknown
}

type Result = readonly [
  partials: readonly PartialEvent[],
  finals: readonly JsonObject[],
  native: JsonObject,
  state: State,
]

const CALL_IDS = { pattern: PLAIN_ID, longest: 64 }

/** Loads the model, which the other hooks of the request use. */
export async function init(
  config: Config,
  { local }: Context,
  given: AiSdkProvider | undefined,
): Promise<State> {
  const loaded = await loadModel(config, config.model ?? '', given)
  local.set('loaded', loaded)
  local.set('tools', config.tools ?? [])
  const { modelId, provider, specificationVersion: specification } = loaded.model
  return { model: modelId, provider, specification }
}

export async function toNative(
  messages: readonly Message[],
  { model, provider, specification }: State,
  context: Context,
): Promise<JsonObject> {
  const { config, local } = context
  const loaded = loadedIn(context)
  const warn = (message: string): void => context.warn(message)
  const profile = profileFor(loaded)
  const isOwn = (given: ToolCallPart): boolean => factsOf(given, profile) !== undefined
  const taken = takenBy(provider, loaded.title)
  const urls = (await loaded.model.supportedUrls) ?? {}
  const checked = checkedFiles(messages, { profile, model, taken, urls, context })
  local.set('messages', checked)
  const prompt = promptOf(repairHistory(checked, { ...CALL_IDS, isOwn }, warn), { profile, taken })
  const tools = (local.get('tools') ?? []) as readonly ModelTool[]
  return requestOf({ prompt, tools, config, specification, warn })
}

export async function call(native: JsonObject, state: State, context: Context): Promise<Result> {
  return [[], [await generate(askOf(native, context))], native, state]
}

export function streamParts(native: JsonObject, context: Context): AsyncIterable<NativePart> {
  return stream(askOf(native, context))
}

export function processChunk(
  part: NativePart,
  native: JsonObject,
  state: State,
  context: Context,
): Result {
  if (part.type === 'stream-start') {
    for (const warning of part['warnings'] as readonly string[]) context.warn(warning)
    return [[], [], native, state]
  }
  const gathering = gatheringIn(context)
  if (part.type !== 'finish') return [gathering.add(part), [], native, state]
  const { events, final } = gathering.finish(part)
  return [events, [final], native, state]
}

export function fromNative(natives: readonly unknown[], context: Context): readonly Message[] {
  const profile = profileFor(loadedIn(context))
  return natives.filter(isObject).map((answer) => messageOf(answer, { profile }))
}

function askOf(native: JsonObject, context: Context): Ask {
  return { loaded: loadedIn(context), native, context }
}

function gatheringIn(context: Context): Gathering {
  const { local } = context
  const known = local.get('gathering') as Gathering | undefined
  if (known) return known
  const made = new Gathering({ profile: profileFor(loadedIn(context)) })
  local.set('gathering', made)
  return made
}

function loadedIn({ local }: Context): LoadedModel {
  const loaded = local.get('loaded') as LoadedModel | undefined
  if (loaded) return loaded
  throw new Error('"init" of the provider has not run.')
}

function profileFor({ model, title }: LoadedModel) {
  return profileOf(title, model.provider)
}
