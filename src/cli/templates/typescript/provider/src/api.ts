import { type Headers, HostError } from '@braidwork/plugin'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ChatRequest } from './request.js'
import type { Settings } from './settings.js'

/** A piece of an answer, as the API sends it. */
export interface ChatChunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly tool_calls?: readonly CallDelta[]
    }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
}

export interface CallDelta {
  readonly index: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

interface Connection extends Settings {
  readonly send: typeof fetch
  readonly signal: AbortSignal
  /** The headers that other plugins add. */
  readonly added: Headers | undefined
}

/** Sends a request. @returns the chunks of the answer @throws {HostError} if the API refuses or breaks off */
export async function* chunksOf(
  body: ChatRequest,
  { base_url, api_key, send, signal, added }: Connection,
): AsyncGenerator<ChatChunk> {
  const response = await send(`${base_url}/chat/completions`, {
    method: 'POST',
    headers: {
      ...added,
      'content-type': 'application/json',
      ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }),
    },
    body: JSON.stringify(body),
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new HostError('PROVIDER_FAILED', `"${base_url}" could not be reached.`, { cause })
  })
  if (!response.ok || response.body === null) throw await refusal(response)
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  try {
    for await (const { data } of events) {
      if (data === '[DONE]') return
      yield JSON.parse(data) as ChatChunk
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw interrupted(cause)
  }
  throw interrupted()
}

function interrupted(cause?: unknown): HostError {
  const message = 'The API ended its answer too early.'
  return new HostError('STREAM_INTERRUPTED', message, { retryable: true, cause })
}

const CODES: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  401: 'PROVIDER_UNAUTHORIZED',
  403: 'PROVIDER_UNAUTHORIZED',
  404: 'MODEL_UNKNOWN',
  429: 'RATE_LIMITED',
  503: 'OVERLOADED',
}

async function refusal(response: Response): Promise<HostError> {
  const { status } = response
  const said = (await response.text()).slice(0, 500)
  const retryable = status === 429 || status >= 500
  const message = `The API answered with status ${status}: ${said}`
  return new HostError(CODES[status] ?? 'PROVIDER_FAILED', message, { status, retryable })
}
