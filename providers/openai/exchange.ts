import type { Config, Context, Message, PartialEvent, ToolSchema } from 'braidwork/plugin'
import { ChatAnswer, isWholeChat } from './chat/chunks.ts'
import { chatMessage } from './chat/message.ts'
import { chatRequest } from './chat/request.ts'
import { type Access, type Api, askOf, listModels, post, postForJson, readJson } from './client.ts'
import { apiError, unreadable, withoutKey } from './errors.ts'
import { END, readAnswer } from './event-stream.ts'
import { isObject, type JsonObject } from './json.ts'
import { modelsOf } from './models.ts'
import { OPENAI } from './profile.ts'
import { isWholeResponse, ResponsesAnswer } from './responses/chunks.ts'
import { responseMessage } from './responses/message.ts'
import { responsesRequest } from './responses/request.ts'
import { settingsOf } from './settings.ts'
import { closeable } from './stream.ts'

export type State = { readonly api: Api; readonly model: string }

export function init(config: Config, context: Context): State {
  // Not part of the state: others may not need them, and they may be large.
  context.local.set('tools', config.tools ?? [])
  const { api = 'responses' } = settingsOf(config, OPENAI)
  return { api, model: config.model ?? modelsOf(config, OPENAI)[0] ?? '' }
}

export function toNative(messages: readonly Message[], state: State, context: Context): JsonObject {
  const { config, local } = context
  const tools = (local.get('tools') ?? []) as readonly ToolSchema[]
  const warn = (message: string): void => context.warn(message)
  const input = { profile: OPENAI, model: state.model, messages, tools, config, warn }
  return state.api === 'chat' ? chatRequest(input) : responsesRequest(input)
}

export interface Request {
  readonly native: JsonObject
  readonly state: State
  readonly context: Context
}

/** The API's whole answer. */
export async function call(access: Access, request: Request): Promise<Step> {
  const { native, state } = request
  return [[], [await answerOf(access, request)], native, state]
}

/** The API's answer as it comes; the caller's signal closes the connection. */
export function stream(access: Access, request: Request): AsyncIterable<readonly JsonObject[]> {
  return closeable(request.context.signal, (signal) => streamOf(access, request, signal))
}

/** The models that the API lists. */
export function refreshModels(access: Access, config: Config, signal: AbortSignal) {
  return listModels(access, askOf(config, 'connect', signal))
}

async function answerOf(access: Access, { native, state, context }: Request): Promise<JsonObject> {
  try {
    const answer = await postForJson(
      access,
      state.api,
      native,
      askOf(context.config, 'call', context.signal),
    )
    return checked(answer, state.api)
  } catch (error) {
    throw withoutKey(error, access.settings.api_key)
  }
}

async function* streamOf(
  access: Access,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  try {
    yield* chunksOf(access, request, signal)
  } catch (error) {
    throw withoutKey(error, access.settings.api_key)
  }
  yield [END]
}

async function* chunksOf(
  access: Access,
  { native, state, context }: Request,
  signal: AbortSignal,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const isChat = state.api === 'chat'
  const usage = isChat ? { stream_options: { include_usage: true } } : {}
  const body = { ...usage, ...native, stream: true }
  const response = await post(access, state.api, body, askOf(context.config, 'connect', signal))
  if (isJson(response)) {
    yield [wholeAnswer(checked(await readJson(response, OPENAI), state.api), isChat)]
  } else {
    yield* readAnswer(response, OPENAI, isChat ? isWholeChat : isWholeResponse)
  }
}

/** Some servers answer with the whole where a stream was asked for. */
function isJson({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').includes('application/json')
}

function wholeAnswer(answer: JsonObject, isChat: boolean): JsonObject {
  return isChat ? answer : { type: 'response.completed', response: answer }
}

/** An answer that has what its API's answers have. */
function checked(answer: JsonObject, api: Api): JsonObject {
  const list = api === 'chat' ? 'choices' : 'output'
  if (answer['status'] === 'failed')
    throw apiError(OPENAI, answer['error'] ?? 'the response failed')
  if (Array.isArray(answer[list])) return answer
  throw unreadable(OPENAI, `sent an answer without "${list}"`, JSON.stringify(answer))
}

type Step = readonly [
  partials: readonly PartialEvent[],
  finals: readonly JsonObject[],
  native: JsonObject,
  state: State,
]

export function processChunk(
  chunk: JsonObject,
  native: JsonObject,
  state: State,
  { local }: Context,
): Step {
  const answer = answerIn(local, state)
  if (chunk['type'] !== END['type']) return [answer.add(chunk), [], native, state]
  const { events, final } = answer.end()
  return [events, [final], native, state]
}

/** What was gathered of this request's answer so far. */
function answerIn(local: Map<string, unknown>, { api }: State): ChatAnswer | ResponsesAnswer {
  const known = local.get('answer')
  if (known instanceof ChatAnswer || known instanceof ResponsesAnswer) return known
  const answer = api === 'chat' ? new ChatAnswer(OPENAI) : new ResponsesAnswer(OPENAI)
  local.set('answer', answer)
  return answer
}

export function fromNative(natives: readonly unknown[], state: State): readonly Message[] {
  const toMessage = state.api === 'chat' ? chatMessage : responseMessage
  return natives.filter(isObject).map((native) => toMessage(native, OPENAI))
}
