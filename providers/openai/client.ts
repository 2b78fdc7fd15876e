import type { Config } from 'braidwork/plugin'
import type { OpenAI as Client } from 'openai'
import {
  apiError,
  interrupted,
  keyMissing,
  providerError,
  secondsIn,
  unreadable,
  withoutKey,
} from './errors.ts'
import { isObject, type JsonObject, parseJson, textIn } from './json.ts'
import type { Profile } from './profile.ts'
import { type Fetch, fetchThrough } from './proxy.ts'
import type { OpenAISettings } from './settings.ts'

export type Api = 'responses' | 'chat'

/** Where requests go, and as whom. */
export interface Access {
  readonly profile: Profile
  readonly settings: OpenAISettings
  readonly fetch?: Fetch | undefined
}

export interface Ask {
  readonly signal: AbortSignal
  /** Seconds until there are headers. */
  readonly timeout: number
}

/**
 * The SDK's client. Every value is given, so that no variable but the key's is read behind the config's back.
 * @throws PROVIDER_UNAUTHORIZED where the API needs a key and there is none
 */
async function createClient({ profile, settings, fetch }: Access): Promise<Client> {
  const { api_key: key, base_url: baseURL = profile.baseUrl, proxy } = settings
  if (!key && baseURL === profile.baseUrl) throw keyMissing(profile)
  const { OpenAI } = await import('openai')
  const ownFetch = fetch ?? (proxy ? fetchThrough(proxy) : undefined)
  return new OpenAI({
    apiKey: key || 'none',
    adminAPIKey: null,
    webhookSecret: null,
    baseURL,
    organization: settings.organization ?? null,
    project: settings.project ?? null,
    maxRetries: settings.max_retries ?? 2,
    // Without a key none is sent: the servers that need none may refuse a wrong one.
    defaultHeaders: { ...(key ? {} : { Authorization: null }), ...settings.headers },
    logLevel: 'off',
    ...(ownFetch ? { fetch: ownFetch } : {}),
  })
}

/** Sends a request body and gives the response as it is, its body unread. */
export async function post(
  access: Access,
  api: Api,
  body: JsonObject,
  { signal, timeout }: Ask,
): Promise<Response> {
  const options = { signal, timeout: timeout * 1000 }
  return tell(access, timeout, async () => {
    const client = await createClient(access)
    const path = api === 'chat' ? '/chat/completions' : '/responses'
    return client.post(path, { body, ...options }).asResponse()
  })
}

/** A whole JSON answer. */
export async function postForJson(
  access: Access,
  api: Api,
  body: JsonObject,
  ask: Ask,
): Promise<JsonObject> {
  const response = await post(access, api, body, ask)
  return readJson(response, access.profile)
}

export async function readJson(response: Response, profile: Profile): Promise<JsonObject> {
  const text = await response.text().catch(() => {
    throw interrupted(profile, 'The connection was lost before the answer ended')
  })
  if (text.trim() === '') throw unreadable(profile, 'sent an empty answer')
  const answer = parsed(text)
  if (!isObject(answer)) throw unreadable(profile, 'sent an answer that is no JSON object', text)
  if (answer['error']) throw apiError(profile, answer['error'])
  return answer
}

/** The ids of the models that the API lists. */
export async function listModels(access: Access, ask: Ask): Promise<readonly string[]> {
  const response = await tell(access, ask.timeout, async () => {
    const client = await createClient(access)
    return client.get('/models', { signal: ask.signal, timeout: ask.timeout * 1000 }).asResponse()
  })
  const { data } = await readJson(response, access.profile)
  const list = Array.isArray(data) ? data : []
  return list.flatMap((model) => (isObject(model) ? (textIn(model['id']) ?? []) : []))
}

const LIMITS = { connect: 30, call: 600 } as const

/** What a request to the API may take. */
export function askOf({ limits }: Config, limit: keyof typeof LIMITS, signal: AbortSignal): Ask {
  return { signal, timeout: limits?.[limit] ?? LIMITS[limit] }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Runs a request of the SDK; what it throws comes out with a code, and without the key. */
async function tell<T>(access: Access, timeout: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw withoutKey(toProviderError(error, access.profile, timeout), access.settings.api_key)
  }
}

function toProviderError(error: unknown, profile: Profile, timeout: number): Error {
  if (!(error instanceof Error)) return providerError('PROVIDER_FAILED', String(error))
  if ('code' in error && error.code === 'PROVIDER_UNAUTHORIZED') return error
  const { name } = error.constructor
  if (name === 'APIConnectionTimeoutError') {
    const message = `${profile.title} sent no headers within ${timeout} seconds (limits.connect).`
    return providerError('TIMEOUT', message, { retryable: true })
  }
  if (name === 'APIUserAbortError') return providerError('ABORTED', 'The request was cancelled.')
  if ('status' in error && typeof error.status === 'number') return statusError(error, profile)
  return providerError(
    'PROVIDER_FAILED',
    `${profile.title} could not be reached: ${reasonOf(error)}`,
    {
      retryable: true,
    },
  )
}

/** The error of an HTTP status; its body may be an API's error object, other JSON, or a page. */
function statusError(error: Error, profile: Profile): Error {
  const {
    status,
    error: body,
    headers,
  } = error as Error & {
    status: number
    error?: unknown
    headers?: Headers
  }
  const retryAfter = secondsIn(headers?.get('retry-after'))
  return apiError(
    profile,
    isObject(body) ? body : { message: textIn(body) ?? plain(error.message) },
    {
      status,
      retryAfter,
    },
  )
}

/** What the SDK says of a body that is no error object: the status, then the body. */
function plain(message: string): string {
  const text = message.replace(/^\d+ /, '').trim()
  return text.startsWith('<')
    ? `a page in place of JSON, ${JSON.stringify(text.slice(0, 120))}`
    : text
}

function reasonOf(error: Error): string {
  const causes: string[] = []
  for (let at: unknown = error; at instanceof Error && causes.length < 4; at = at.cause) {
    if (at.message && !causes.includes(at.message)) causes.push(at.message)
  }
  return causes.join(': ')
}
