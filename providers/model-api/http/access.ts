import { pointerOf } from '@braidwork/plugin'
import { providerError } from '../errors.ts'
import type { Profile } from '../profile.ts'
import type { ConnectionSettings } from '../settings.ts'
import { connectionFault, type SettingFault } from './connection-fault.ts'
import { refusing } from './refusal.ts'
import { type Fetch, nodeFetch } from './transport.ts'

/** The address and the credentials of an API. */
export interface Access {
  readonly profile: Profile
  readonly settings: ConnectionSettings
  /** The application's own `fetch`, instead of Node's client. */
  readonly fetch?: Fetch | undefined
}

/** Connection settings that were validated before the first request. */
export interface Endpoint {
  readonly baseURL: string
  readonly headers: { readonly [name: string]: string }
  readonly maxRetries: number
  /** The `fetch` for the SDK. */
  readonly fetch: Fetch
}

/**
 * Validates the connection settings.
 * @throws SETTINGS_INVALID if an address, a header or the key is malformed; the message contains no secret
 */
export function endpointOf({ profile, settings, fetch }: Access): Endpoint {
  const { base_url: baseURL = profile.baseUrl, headers = {}, proxy, max_retries = 2 } = settings
  const fault = connectionFault({ ...settings, base_url: baseURL }, profile)
  if (fault) throw invalid(profile, fault)
  return {
    baseURL: withoutEndSlashes(baseURL),
    headers,
    maxRetries: max_retries,
    fetch: refusing(fetch ? withWebHeaders(fetch) : nodeFetch(proxy)),
  }
}

/** An application may expect the global class `Headers`, which the bundled SDKs do not use. */
function withWebHeaders(fetch: Fetch): Fetch {
  return (input, init) => fetch(input, { ...init, headers: new Headers(init?.headers) })
}

/** A base URL without trailing slashes, ready for a path. */
export function withoutEndSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

function invalid({ name }: Profile, { path, message }: SettingFault): Error {
  const place = ['settings', name, ...path]
  const pointer = pointerOf(place)
  return providerError('SETTINGS_INVALID', `${place.join('.')} ${message}`, { pointer })
}
