import {
  apiError,
  interrupted,
  isError,
  objectsIn,
  type Profile,
  parseJson,
  providerError,
  retryAfterIn,
  withoutKey,
} from '@braidwork/model-api/exchange'
import { ERROR_CODES, isObject } from '@braidwork/plugin'
import { type AiSdkSettings, NAME } from './settings.ts'

/** The names of a model API in messages, and in the facts of parts. */
export function profileOf(title: string, server: string): Profile {
  return { name: NAME, title, variable: 'that the package reads', baseUrl: '', server }
}

/** The codes for errors of the AI SDK that no model API caused. */
const CODES: { readonly [name: string]: string } = {
  AI_LoadAPIKeyError: 'PROVIDER_UNAUTHORIZED',
  AI_LoadSettingError: 'SETTINGS_INVALID',
  AI_InvalidArgumentError: 'INVALID_REQUEST',
  AI_InvalidPromptError: 'INVALID_REQUEST',
  AI_UnsupportedFunctionalityError: 'INVALID_REQUEST',
  AI_NoSuchModelError: 'MODEL_UNKNOWN',
}

/** Converts what a package threw, or put into a stream, to an error with a code, without the keys of the settings. */
export function toProviderError(thrown: unknown, profile: Profile, settings: AiSdkSettings): Error {
  const error = coded(thrown, profile)
  const secrets = Object.values(settings.secret_options ?? {})
  for (const secret of [settings.api_key, ...secrets]) withoutKey(error, secret)
  return error
}

/** The error for a stream that ended before its answer did. */
export function endedEarly(profile: Profile): Error {
  return interrupted(profile)
}

function coded(thrown: unknown, profile: Profile): Error {
  if (
    isError(thrown) &&
    'code' in thrown &&
    isText(thrown.code) &&
    Object.hasOwn(ERROR_CODES, thrown.code)
  )
    return thrown
  if (!isError(thrown)) return apiError(profile, thrown)
  const { name, message } = thrown
  if (name === 'AI_APICallError') return callError(thrown, profile)
  const code = Object.hasOwn(CODES, name) ? CODES[name] : undefined
  const said = `${profile.title} failed: ${message}`
  return code === undefined
    ? providerError('PROVIDER_FAILED', said)
    : providerError(code, said, { retryable: false })
}

interface CallError extends Error {
  readonly statusCode?: number
  readonly responseHeaders?: { readonly [name: string]: string }
  readonly responseBody?: string
  readonly isRetryable?: boolean
}

function callError(error: CallError, profile: Profile): Error {
  const { statusCode: status, responseHeaders, responseBody = '', isRetryable } = error
  if (status === undefined) {
    const message = `${profile.title} could not be reached: ${error.message}`
    return providerError('PROVIDER_FAILED', message, { retryable: isRetryable })
  }
  const retryAfter = responseHeaders && retryAfterIn(new Headers(responseHeaders))
  const body = saidIn(responseBody)
  const isRefused = body !== undefined && (status >= 400 || 'error' in body)
  const said = isRefused ? body : { message: `${error.message}${faultsIn(error.cause)}` }
  return apiError(profile, said, { status, retryAfter })
}

/** What of an answer the package could not read, by the schema that it has for it. */
function faultsIn(cause: unknown): string {
  const { cause: inner } = isError(cause) ? cause : {}
  const issues = isError(inner) && 'issues' in inner ? objectsIn(inner.issues) : []
  const faults = issues.map(({ path, message }) =>
    [...(Array.isArray(path) ? [path.join('.')] : []), String(message)].filter(Boolean).join(': '),
  )
  return faults.length > 0 ? ` (${faults.join('; ')})` : ''
}

function saidIn(body: string): object | undefined {
  try {
    const value = parseJson(body)
    return isObject(value) ? value : undefined
  } catch {
    // A page instead of JSON. The message of the package tells the status.
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
