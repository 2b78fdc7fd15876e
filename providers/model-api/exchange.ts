import {
  type Config,
  type Context,
  type Headers,
  isObject,
  type JsonObject,
  type Message,
  type ModelTool,
  type PartialEvent,
} from '@braidwork/plugin'
import type { Access } from './access.ts'
import {
  type Ask,
  askOf,
  type Connect,
  type Line,
  listModels,
  type Post,
  post,
  postForJson,
  readJson,
} from './client.ts'
import { withoutKey } from './errors.ts'
import { END, openAnswer } from './event-stream.ts'
import { checkFiles } from './files.ts'
import type { Format, Gathering, Partial } from './format.ts'
import { keepHeaders, requestHeaders, withKeptHeaders } from './headers.ts'
import { repairHistory } from './history.ts'
import { keeping } from './kept-client.ts'
import { limitsOf, tooMuch } from './limits.ts'
import { closeable, type Reading } from './stream.ts'
import { checked } from './whole-answer.ts'

export interface State {
  /** The id of the format, for providers with several. */
  readonly api: string
  readonly model: string
  /** The headers that plugins add to the request. */
  readonly requestHeaders?: Headers
  readonly responseHeaders?: Headers
  readonly [key: string]: unknown
}

/** The arguments of a hook: the native request, the state and the context. */
export interface HookArguments<S extends State = State> {
  readonly native: JsonObject
  readonly state: S
  readonly context: Context
}

type ChunkResult<S, P = PartialEvent> = readonly [
  partials: readonly P[],
  finals: readonly JsonObject[],
  native: JsonObject,
  state: S,
]

/** The formats of a provider, and how to choose between them. */
export interface Formats<S extends State> {
  readonly connect: Connect
  init(config: Config): S
  formatOf(state: S, config: Config): Format
  /** The path of the model list, below the base URL. */
  readonly models: string
}

/** The provider's hooks. Hooks that send requests take the line to the API as their first argument. */
export interface Exchange<S extends State> {
  init(config: Config, context: Context): S
  toNative(messages: readonly Message[], state: S, context: Context): JsonObject
  call(access: Access, turn: HookArguments<S>): Promise<ChunkResult<S>>
  stream(access: Access, turn: HookArguments<S>): AsyncIterable<readonly JsonObject[]>
  processChunk(
    chunk: JsonObject,
    native: JsonObject,
    state: S,
    context: Context,
  ): ChunkResult<S, Partial>
  fromNative(natives: readonly unknown[], state: S, context: Context): readonly Message[]
  refreshModels(access: Access, config: Config, signal: AbortSignal): Promise<readonly string[]>
}

export function createExchange<S extends State>(formats: Formats<S>): Exchange<S> {
  const connect = keeping(formats.connect)
  const formatOf = ({ state, context }: Pick<HookArguments<S>, 'state' | 'context'>): Format =>
    formats.formatOf(state, context.config)
  return {
    init: (config, { local }) => {
      // Tools are kept here, not in the state: they may be large, and other plugins may not need them.
      local.set('tools', config.tools ?? [])
      return formats.init(config)
    },
    toNative: (messages, state, context) => {
      const format = formatOf({ state, context })
      const warn = (message: string): void => context.warn(message)
      const tools = (context.local.get('tools') ?? []) as readonly ModelTool[]
      const { config, modelInfo } = context
      const { model } = state
      const around = { profile: format.profile, model, modelInfo, rules: format.files }
      const sent = checkFiles(repairHistory(messages, format.callIds, warn), around)
      return format.request({ model, messages: sent, tools, config, modelInfo, warn })
    },
    call: (access, turn) => call({ ...access, connect }, formatOf(turn), turn),
    stream: (access, turn) => stream({ ...access, connect }, formatOf(turn), turn),
    processChunk: (chunk, native, state, context) => {
      const known = gatheringIn(context)
      const gathering = known ?? gather(context, formatOf({ state, context }))
      const after = known ? state : withKeptHeaders(state, context)
      if (chunk['type'] !== END['type']) {
        const events = gathering.add(chunk)
        if (gathering.held > MANY) checkHeld(gathering, formatOf({ state, context }), context)
        return [events, NOTHING, native, after]
      }
      const { events, final } = gathering.end()
      return [events, final ? [final] : NOTHING, native, after]
    },
    fromNative: (natives, state, context) => {
      const format = formatOf({ state, context })
      return natives.filter(isObject).map((native) => format.message(native))
    },
    refreshModels: (access, config, signal) =>
      listModels({ ...access, connect }, formats.models, askOf(config, 'models', signal)),
  }
}

/** Requests the whole answer. */
async function call<S extends State>(
  line: Line,
  format: Format,
  { native, state, context }: HookArguments<S>,
): Promise<ChunkResult<S>> {
  let after = state
  const { noteUpstreamId: noteId } = context
  const noteHeaders = (responseHeaders: Headers): void => {
    after = { ...state, responseHeaders }
  }
  const ask: Ask = { ...askOf(context.config, 'call', context.signal), noteId, noteHeaders }
  try {
    const answer = await postForJson(line, requestOf(format, native, { state, context }), ask)
    return [[], [checked(answer, format)], native, after]
  } catch (error) {
    throw withoutKey(error, line.settings.api_key)
  }
}

/** Streams the answer's events, then the END chunk. The caller's signal closes the connection. */
function stream(
  line: Line,
  format: Format,
  turn: HookArguments,
): AsyncIterable<readonly JsonObject[]> {
  return closeable(turn.context.signal, {
    open: (signal) => openChunks(line, format, turn, signal),
    toError: (error) => withoutKey(error, line.settings.api_key),
  })
}

async function openChunks(
  line: Line,
  format: Format,
  { native, state, context }: HookArguments,
  signal: AbortSignal,
): Promise<Reading<readonly JsonObject[]>> {
  const { profile, ending, lines = 'server-sent-events' } = format
  const request = requestOf(format, format.streaming(native), { state, context })
  const { noteUpstreamId: noteId } = context
  const noteHeaders = keepHeaders(context)
  const ask: Ask = { ...askOf(context.config, 'stream', signal), noteId, noteHeaders }
  const { limits } = ask
  const response = await post(line, request, ask)
  const isWhole = lines === 'server-sent-events' && isJson(response)
  if (!isWhole) return openAnswer({ response, profile, ending, lines, limits })
  const answer = checked(await readJson(response, profile, limits), format)
  const lists = [[format.wholeAsChunk(answer)], [END]]
  return { next: async () => lists.shift(), close: () => undefined }
}

function requestOf(
  format: Format,
  body: JsonObject,
  { state, context }: Pick<HookArguments, 'state' | 'context'>,
): Post {
  const headers = requestHeaders(format.headers?.(body, context.config), state)
  return { path: format.path, body, headers }
}

function isJson({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').includes('application/json')
}

const NOTHING: readonly JsonObject[] = []

/** Answers with fewer items than this are not checked. */
const MANY = 100

/** Enforces `limits.answer_parts` on items that are kept until the end, which the host cannot see. */
function checkHeld({ held }: Gathering, { profile }: Format, { config }: Context): void {
  const limits = limitsOf(config)
  if (held > limits.answer_parts) throw tooMuch(profile, limits, 'answer_parts')
}

/** The collected part of this request's answer. */
function gatheringIn({ local }: Context): Gathering | undefined {
  return local.get('answer') as Gathering | undefined
}

function gather(context: Context, format: Format): Gathering {
  const gathering = format.gather(context)
  const { local } = context
  local.set('answer', gathering)
  return gathering
}
