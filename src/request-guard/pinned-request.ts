import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { GuardError } from './guard-error.ts'
import type { Target } from './target.ts'

/** Opens a request to the checked addresses of a target: a second DNS lookup could give others. The caller ends it. */
export function requestTo({ url, addresses }: Target, options: RequestOptions): ClientRequest {
  const lookup: LookupFunction = (_name, given, done) => {
    const [first] = addresses
    if (given.all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return send(url, { ...options, lookup })
}

/**
 * Resolves to the response of a request. Redirects are responses like others.
 * @throws {GuardError} if the target cannot be reached; if the signal aborts, its error
 */
export function responseOf(
  request: ClientRequest,
  { url }: Target,
  signal?: AbortSignal | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    // A connection that speaks another protocol from here on is not read, and without an answer nothing would end it.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new GuardError(`"${url.host}" switches to another protocol, which is not supported.`))
    })
    request.once('close', () => {
      reject(signal?.aborted ? signal.reason : endedWithoutAnswer(url))
    })
    // Also of a request whose response is there, so that its failure ends nothing but the response.
    request.on('error', (error: Error & { readonly code?: string }) => {
      const message = `"${url.host}" could not be reached (${error.code ?? error.message}).`
      reject(signal?.aborted ? error : new GuardError(message, { cause: error }))
    })
  })
}

function endedWithoutAnswer({ host }: URL): GuardError {
  return new GuardError(`"${host}" ended the connection without an answer.`)
}
