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
import { closeable, type Reading } from './body/stream.ts'
import { factsOf } from './content.ts'
import { withoutKey } from './errors.ts'
import { END, openAnswer } from './events/event-stream.ts'
import { checkFiles } from './files.ts'
import type { Format, Piece, StreamFormat } from './format.ts'
import { checkHeld, gather, gatheringIn, MANY } from './gathered.ts'
import { type CallIds, repairHistory } from './history.ts'
import type { Access } from './http/access.ts'
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
} from './http/client.ts'
import { keepHeaders, requestHeaders, withKeptHeaders } from './http/headers.ts'
import { keeping } from './http/kept-client.ts'
import { isRepaired, sendRepaired } from './repaired.ts'
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
export interface Formats<S extends State, F extends StreamFormat = Format> {
  readonly connect: Connect
  init(config: Config): S
  formatOf(state: S, config: Config): F
  /** The path of the model list, below the base URL. */
  readonly models: string
}

/** The hooks of a provider that streams. Hooks that send requests take the access to the API as their first argument. */
export interface Streaming<S extends State> {
  init(config: Config, context: Context): S
  toNative(
    messages: readonly Message[],
    state: S,
    context: Context,
  ): JsonObject | Promise<JsonObject>
  stream(access: Access, turn: HookArguments<S>): AsyncIterable<readonly JsonObject[]>
  processChunk(
    chunk: JsonObject,
    native: JsonObject,
    state: S,
    context: Context,
  ): ChunkResult<S, Piece>
  refreshModels(access: Access, config: Config, signal: AbortSignal): Promise<readonly string[]>
}

/** The hooks of a provider that streams, and asks for whole answers. */
export interface Exchange<S extends State> extends Streaming<S> {
  call(access: Access, turn: HookArguments<S>): Promise<ChunkResult<S>>
  fromNative(natives: readonly unknown[], state: S, context: Context): readonly Message[]
}

/** The hooks for APIs that are asked for streams and for whole answers. */
export function createExchange<S extends State>(given: Formats<S>): Exchange<S> {
  const formats = { ...given, connect: keeping(given.connect) }
  const { connect } = formats
  return {
    ...streamingOf(formats),
    call: (access, turn) => {
      const format = formats.formatOf(turn.state, turn.context.config)
      return call({ ...access, connect }, format, turn)
    },
    fromNative: (natives, state, context) => {
      const format = formats.formatOf(state, context.config)
      const answers = natives.filter(isObject)
      return answers.map((native) => format.message(native, isRepaired(context)))
    },
  }
}

/** The hooks for APIs that are only asked for streams, of which the host makes whole answers too. */
export function createStreaming<S extends State>(formats: Formats<S, StreamFormat>): Streaming<S> {
  return streamingOf({ ...formats, connect: keeping(formats.connect) })
}

function streamingOf<S extends State>({
  connect,
  ...formats
}: Formats<S, StreamFormat>): Streaming<S> {
  const formatOf = ({ state, context }: Pick<HookArguments<S>, 'state' | 'context'>) =>
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
      const around = { profile: format.profile, model, modelInfo, rules: format.files, warn }
      const sent = checkFiles(repairHistory(messages, idsOf(format), warn), around)
      return format.request({ model, messages: sent, tools, config, modelInfo, warn })
    },
    stream: (access, turn) => stream({ ...access, connect }, formatOf(turn), turn),
    processChunk: (chunk, native, state, context) => {
      const known = gatheringIn(context)
      const gathering = known ?? gather(context, formatOf({ state, context }))
      const after = known ? state : withKeptHeaders(state, context)
      if (chunk['type'] !== END['type']) {
        const events = gathering.add(chunk)
        if (gathering.held > MANY) checkHeld(gathering, formatOf({ state, context }), context)
        // A new list each time: an extension may add its own finals to it.
        return [events, [], native, after]
      }
      const { events, final } = gathering.end()
      return [events, final ? [final] : [], native, after]
    },
    refreshModels: (access, config, signal) =>
      listModels(
        { ...access, connect },
        formats.models,
        askOf(config, 'models', { ...access, signal }),
      ),
  }
}

/** The call ids that an API accepts, those that it gave itself among them. */
function idsOf({ callIds, profile }: StreamFormat): CallIds {
  return { ...callIds, isOwn: (call) => factsOf(call, profile) !== undefined }
}

/** Requests the whole answer. */
async function call<S extends State>(
  line: Line,
  format: StreamFormat,
  { native, state, context }: HookArguments<S>,
): Promise<ChunkResult<S>> {
  let after = state
  const { noteUpstreamId: noteId } = context
  const noteHeaders = (responseHeaders: Headers): void => {
    after = { ...state, responseHeaders }
  }
  const asked = askOf(context.config, 'call', { ...line, signal: context.signal })
  const ask: Ask = { ...asked, noteId, noteHeaders }
  try {
    const answer = await sendRepaired(format, native, context, (body) =>
      postForJson(line, requestOf(format, body, { state, context }), ask),
    )
    return [[], [checked(answer, format)], native, after]
  } catch (error) {
    throw withoutKey(error, line.settings.api_key)
  }
}

/** Streams the answer's events, then the END chunk. The caller's signal closes the connection. */
function stream(
  line: Line,
  format: StreamFormat,
  turn: HookArguments,
): AsyncIterable<readonly JsonObject[]> {
  const { config, signal: outer } = turn.context
  const ask = askOf(config, 'stream', { profile: format.profile, signal: outer })
  const { stream_idle: idle } = ask.limits
  return closeable(outer, {
    open: (signal) => openChunks(line, format, turn, { ...ask, signal }),
    // The wait for headers has a limit of its own, so the host lets it take up to ten times `stream_idle`.
    ...(ask.timeout > idle ? { waiting: { value: NO_CHUNKS, milliseconds: pauseFor(idle) } } : {}),
    toError: (error) => withoutKey(error, line.settings.api_key),
  })
}

/** The milliseconds between two signs that an answer is waited for: twice as often as the host expects one. */
function pauseFor(idle: number): number {
  return Math.min(idle * 500, 30_000)
}

async function openChunks(
  line: Line,
  format: StreamFormat,
  { native, state, context }: HookArguments,
  asked: Ask,
): Promise<Reading<readonly JsonObject[]>> {
  const { profile, ending, framing = 'server-sent-events' } = format
  const { noteUpstreamId: noteId } = context
  const noteHeaders = keepHeaders(context)
  const ask: Ask = { ...asked, noteId, noteHeaders }
  const { limits } = ask
  const response = await sendRepaired(format, format.streaming(native), context, (body) =>
    post(line, requestOf(format, body, { state, context }), ask),
  )
  const isWhole = framing === 'server-sent-events' && isJson(response)
  if (!isWhole) return openAnswer({ response, profile, ending, framing, limits })
  const answer = checked(await readJson(response, profile, limits), format)
  const lists = [[format.wholeAsChunk(answer)], [END]]
  return { next: async () => lists.shift(), close: () => undefined }
}

function requestOf(
  format: StreamFormat,
  body: JsonObject,
  { state, context }: Pick<HookArguments, 'state' | 'context'>,
): Post {
  const headers = requestHeaders(format.headers?.(body, context.config), state)
  return { path: format.path, body, headers }
}

function isJson({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').includes('application/json')
}

const NO_CHUNKS: readonly JsonObject[] = []
