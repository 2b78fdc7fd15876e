import type { ConfigLayer } from '@braidwork/core'
import { checkConfig, throwSiteOf } from '@braidwork/core/internal'
import { type Caller, HostError, isObject, type Message } from '@braidwork/plugin'
import { orAfter } from './or-after.ts'

/** A request, as functions of the server see it. */
export interface AskedRequest {
  /** A protocol of the server, or `embeddings`. */
  readonly protocol: string
  /** The name of the published model. */
  readonly agent: string
  readonly conversationId?: string
  /** The headers that the client sent. It may write into them whatever it likes. */
  readonly headers: Headers
}

type Answer<T> = T | undefined | Promise<T | undefined>

/** Functions that decide about each request. The result is stored with its run, so that it also applies later. */
export interface PerRequest {
  /** Returns instructions, which become the first system message. They are not part of the conversation. */
  readonly instructions?: ((caller: Caller, request: AskedRequest) => Answer<string>) | undefined
  /** Returns a config that overrides the one of the published model. */
  readonly config?: ((caller: Caller, request: AskedRequest) => Answer<ConfigLayer>) | undefined
}

/** The decisions about one request, as they are stored with its run. */
export interface Decided {
  readonly instructions?: string
  readonly config?: ConfigLayer
}

/** How long each function may take, in milliseconds. */
const LONGEST = 30_000

/**
 * Asks the functions of a server about a request.
 * @throws {HostError} HOOK_FAILED, HOOK_ANSWER_INVALID, TIMEOUT, CONFIG_INVALID; and a HostError of the function itself
 */
export async function decide(
  { instructions, config }: PerRequest,
  caller: Caller,
  request: AskedRequest,
): Promise<Decided> {
  const text = instructions && (await answerOf('instructions', () => instructions(caller, request)))
  const layer = config && (await answerOf('config', () => config(caller, request)))
  if (text !== undefined && typeof text !== 'string') throw wrong('instructions', 'a text')
  if (layer !== undefined && !isObject(layer)) throw wrong('config', 'an object')
  return {
    ...(text ? { instructions: text } : {}),
    ...(layer === undefined ? {} : { config: checkConfig(layer) }),
  }
}

/** Puts the instructions of a request in front of its messages. */
export function instructed(messages: readonly Message[], { instructions }: Decided) {
  if (instructions === undefined) return messages
  const first: Message = { role: 'system', parts: [{ type: 'text', text: instructions }] }
  return [first, ...messages]
}

async function answerOf(name: keyof PerRequest, ask: () => unknown): Promise<unknown> {
  const late = Symbol('late')
  try {
    const answer = await orAfter(Promise.resolve(ask()), LONGEST, late)
    if (answer !== late) return answer
  } catch (error) {
    if (HostError.is(error)) throw error
    const site = throwSiteOf(error)
    // Without the text of the error, which may quote the request.
    const text = `The function "${name}" of the server failed${site ? ` at ${site}` : ''}.`
    throw new HostError('HOOK_FAILED', text, { pointer: `/${name}`, cause: error })
  }
  const text = `The function "${name}" of the server took longer than ${LONGEST / 1000} s.`
  throw new HostError('TIMEOUT', text, { pointer: `/${name}` })
}

function wrong(name: keyof PerRequest, kind: string): HostError {
  const text = `The function "${name}" of the server must return ${kind} or undefined.`
  return new HostError('HOOK_ANSWER_INVALID', text, { pointer: `/${name}` })
}
