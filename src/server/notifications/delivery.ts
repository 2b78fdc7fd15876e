import type { IncomingMessage } from 'node:http'
import type { Environment } from '@braidwork/agent'
import { linkSignals } from '@braidwork/core/internal'
import { checkTarget, requestTo, responseOf } from '@braidwork/request-guard'
import type { NotificationSettings } from '../options/index.ts'
import { type A2aTask, type NotificationConfig, notificationBody } from '../wire/a2a/index.ts'

/** The longest time of one try, in milliseconds. */
const TRY_LIMIT = 10_000
/** The waits between the tries of one notification, in milliseconds. */
const WAITS = [1000, 5000] as const

export interface DeliveryParts {
  readonly environment: Environment
  readonly settings: NotificationSettings
  readonly signal: AbortSignal
}

/** A notification that the receiver did not take, after all tries. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
}

/**
 * Posts a task to the receiver of a config. A receiver that cannot be reached, or that says that it is busy, is asked
 * again a few times.
 * @throws {DeliveryError}; the reason of the signal if it aborts
 */
export async function deliver(
  config: NotificationConfig,
  task: A2aTask,
  parts: DeliveryParts,
): Promise<void> {
  const body = notificationBody(config.version, task)
  for (let tries = 0; ; tries++) {
    const fault = await faultOf(config, body, parts)
    if (fault === undefined) return
    parts.signal.throwIfAborted()
    const wait = WAITS[tries]
    if (wait === undefined || !fault.isPassing) throw new DeliveryError(fault.message)
    await parts.environment.sleep(wait, parts.signal)
  }
}

interface Fault {
  readonly message: string
  /** Whether a further try may help. */
  readonly isPassing: boolean
}

/** Tries once. Returns what went wrong, without the address: its path may be a secret. */
async function faultOf(
  config: NotificationConfig,
  body: string,
  { environment, settings, signal }: DeliveryParts,
): Promise<Fault | undefined> {
  const limit = new AbortController()
  const unlink = linkSignals([signal], limit)
  const late = new Error(`The receiver has not answered within ${TRY_LIMIT} ms.`)
  const timer = new AbortController()
  environment.sleep(TRY_LIMIT, timer.signal).then(
    () => limit.abort(late),
    () => undefined,
  )
  try {
    const status = await statusOf(config, body, { settings, signal: limit.signal })
    if (status >= 200 && status < 300) return undefined
    const message = `The receiver answered with the status ${status}.`
    return { message, isPassing: status === 408 || status === 429 || status >= 500 }
  } catch (error) {
    const shown = limit.signal.reason === late ? late : error
    const message = shown instanceof Error ? shown.message : 'The request failed.'
    return { message, isPassing: true }
  } finally {
    timer.abort()
    unlink()
  }
}

/** Posts a body and returns the status of the answer. Its content is not read, and redirects are not followed. */
async function statusOf(
  config: NotificationConfig,
  body: string,
  { settings: { allowPrivate = false }, signal }: Pick<DeliveryParts, 'settings' | 'signal'>,
): Promise<number> {
  const allowed = { allow_loopback: allowPrivate, allow_private: allowPrivate }
  const target = await checkTarget(config.url, allowed, signal)
  const request = requestTo(target, {
    method: 'POST',
    headers: { ...headersOf(config), 'content-length': Buffer.byteLength(body) },
    agent: false,
    signal,
  })
  const answered = responseOf(request, target, signal)
  request.end(body)
  const response: IncomingMessage = await answered
  response.destroy()
  return response.statusCode ?? 500
}

function headersOf({ token, scheme, credentials, version }: NotificationConfig) {
  const type = version === '1.0' ? 'application/a2a+json' : 'application/json'
  return {
    'content-type': type,
    'user-agent': 'braidwork',
    'a2a-version': version,
    ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === undefined ? {} : { authorization: [scheme, credentials].join(' ').trim() }),
  }
}
