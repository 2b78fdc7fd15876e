import {
  closeable,
  isError,
  limitsOf,
  providerError,
  type Reading,
} from '@braidwork/model-api/exchange'
import type { Context, JsonObject, Message } from '@braidwork/plugin'
import { endedEarly, profileOf, toProviderError } from './errors.ts'
import { refusedFile } from './files.ts'
import type { LoadedModel } from './load-model.ts'
import type { CallOptions, RawPart, StreamResult } from './model-types.ts'
import { citedIn, endingOf, type NativePart, plain, toNativePart, warningsOf } from './parts.ts'
import { settingsOf } from './settings.ts'
import { optionsFor } from './versions.ts'

/** One request to a model. */
export interface Ask {
  readonly loaded: LoadedModel
  readonly native: JsonObject
  readonly context: Context
}

/** Asks for a whole answer. @throws errors with a code, such as RATE_LIMITED */
export async function generate(ask: Ask): Promise<JsonObject> {
  const { loaded, context } = ask
  try {
    const { call } = limitsOf(context.config)
    const waiting = { signal: context.signal, seconds: call, limit: 'limits.call' }
    const result = await inTime(waiting, ask, (options) => loaded.model.doGenerate(options))
    noteId(result.response?.headers, context)
    for (const warning of warningsOf(result.warnings)) context.warn(warning)
    const ending = endingOf(result.finishReason, result.usage)
    if (ending['finishReason'] === 'interrupted') throw endedEarly(profileFor(loaded))
    const { id, modelId } = result.response ?? {}
    const content = result.content.flatMap((one) => toNativePart(one) ?? [])
    return {
      content: [...content, ...citedIn(content)],
      ...ending,
      response: plain({ id, modelId }),
    }
  } catch (error) {
    throw errorFor(error, ask)
  }
}

/** Asks for a stream. When its reader leaves or the request is cancelled, the connection is closed at once. */
export function stream(ask: Ask): AsyncIterable<NativePart> {
  return closeable(ask.context.signal, {
    open: (signal) => openStream(ask, signal),
    toError: (error) => errorFor(error, ask),
  })
}

async function openStream(ask: Ask, signal: AbortSignal): Promise<Reading<NativePart>> {
  const { loaded, context } = ask
  const { connect } = limitsOf(context.config)
  const waiting = { signal, seconds: connect, limit: 'limits.connect' }
  const result = await inTime(waiting, ask, (options) => loaded.model.doStream(options))
  noteId(result.response?.headers, context)
  return readingOf(result, loaded)
}

function readingOf({ stream }: StreamResult, loaded: LoadedModel): Reading<NativePart> {
  const reader = stream.getReader()
  let isFinished = false

  /** The next part that says something. */
  async function next(): Promise<NativePart | undefined> {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return endOf(isFinished, loaded)
      const part = partOf(value, loaded)
      isFinished ||= part?.type === 'finish'
      if (part) return part
    }
  }

  return {
    next,
    close: () => {
      // The stream may have failed already, which its reader was told.
      reader.cancel().catch(() => undefined)
    },
  }
}

function endOf(isFinished: boolean, loaded: LoadedModel): undefined {
  if (!isFinished) throw endedEarly(profileFor(loaded))
}

function partOf(raw: RawPart, loaded: LoadedModel): NativePart | undefined {
  if (raw.type === 'error') throw thrownBy(raw)
  const part = toNativePart(raw)
  if (part?.['finishReason'] === 'interrupted') throw endedEarly(profileFor(loaded))
  return part
}

/** A part may tell anything as its error. */
function thrownBy({ error }: RawPart): Error {
  return isError(error) ? error : Object.assign(new PartError(), { error })
}

/** An error that a part of a stream tells as plain data. */
class PartError extends Error {
  declare readonly error: unknown
}

interface Waiting {
  readonly signal: AbortSignal
  readonly seconds: number
  readonly limit: string
}

/** Calls the model, and cancels the call when its time is over. The signal stays linked to what the call returns. */
async function inTime<T>(
  { signal, seconds, limit }: Waiting,
  { loaded, native }: Ask,
  call: (options: CallOptions) => PromiseLike<T>,
): Promise<T> {
  const { model, title } = loaded
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `${title} did not answer within ${seconds} seconds (${limit}).`
      reject(providerError('TIMEOUT', message, { retryable: true }))
      controller.abort('the request took too long')
    }, seconds * 1000)
  })
  try {
    const options = {
      ...optionsFor(native, model.specificationVersion),
      abortSignal: controller.signal,
    }
    return await Promise.race([call(options), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The headers in which model APIs name a request. */
const ID_HEADERS = ['x-request-id', 'request-id', 'apim-request-id']

function noteId(headers: { readonly [name: string]: string } | undefined, context: Context): void {
  const id = headers && ID_HEADERS.map((name) => headers[name]).find((value) => value)
  if (id) context.noteUpstreamId(id)
}

function profileFor({ model, title }: LoadedModel) {
  return profileOf(title, model.provider)
}

function errorFor(thrown: unknown, { loaded, context }: Ask): Error {
  if (context.signal.aborted) return providerError('ABORTED', 'The request was cancelled.')
  const told = thrown instanceof PartError ? thrown.error : thrown
  noteId(
    (told as { readonly responseHeaders?: { readonly [name: string]: string } }).responseHeaders,
    context,
  )
  const error = toProviderError(told, profileFor(loaded), settingsOf(context.config))
  const isUnsupported = (told as Error).name === 'AI_UnsupportedFunctionalityError'
  const messages = (context.local.get('messages') ?? []) as readonly Message[]
  return (isUnsupported && refusedFile(error.message, messages)) || error
}
