import { providerError } from '../errors.ts'
import type { Profile } from '../profile.ts'
import type { ConnectionSettings } from '../settings.ts'
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

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const ENDINGS = /\/(chat\/completions|completions|responses|messages|models)\/*$/
/** The path of Azure's older addresses, which need the query `api-version`. */
const DEPLOYMENT = /\/openai\/deployments\//

/**
 * Validates the connection settings.
 * @throws SETTINGS_INVALID if an address, a header or the key is malformed; the message contains no secret
 */
export function endpointOf({ profile, settings, fetch }: Access): Endpoint {
  const { base_url: baseURL = profile.baseUrl, headers = {}, proxy, max_retries = 2 } = settings
  checkUrl(baseURL, 'base_url', profile)
  if (proxy !== undefined) checkProxy(proxy, profile)
  checkHeaders(headers, profile)
  if (settings.api_key !== undefined) checkKey(settings.api_key, profile)
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

function invalid({ name }: Profile, setting: string, what: string): Error {
  const message = `settings.${name}.${setting} ${what}`
  return providerError('SETTINGS_INVALID', message, { pointer: `/settings/${name}/${setting}` })
}

function checkUrl(url: string, setting: string, profile: Profile): void {
  const wrong = (what: string): Error => invalid(profile, setting, what)
  const { protocol, username, password, search, hash, pathname, origin } = parsed(url, wrong)
  if (protocol !== 'http:' && protocol !== 'https:') throw withoutScheme(url, wrong)
  if (username !== '' || password !== '') {
    throw wrong('contains a user name or a password. Remove them; the key has its own setting.')
  }
  if (search !== '' && DEPLOYMENT.test(pathname)) {
    throw wrong(
      `is the address of one deployment of Azure. Set it to "${origin}/openai/v1" and "model" to the deployment, or use the provider "ai-sdk" with the package "@ai-sdk/azure".`,
    )
  }
  if (search !== '' || hash !== '') {
    throw wrong(`has a query or a fragment. Remove ${JSON.stringify(search + hash)}.`)
  }
  const ending = ENDINGS.exec(pathname)?.[0]
  if (ending)
    throw wrong(`ends in ${JSON.stringify(ending)}, which each request adds itself. Remove it.`)
}

function parsed(url: string, wrong: (what: string) => Error): URL {
  try {
    return new URL(url)
  } catch {
    throw withoutScheme(url, wrong)
  }
}

/** `localhost:8080` parses as a URL with the scheme "localhost", but the user forgot the scheme. */
function withoutScheme(url: string, wrong: (what: string) => Error): Error {
  const host = url.replace(/^.*@/, '').replace(/^[a-z]*:?\/\//i, '')
  return wrong(`is not an http or https address. Add the scheme, as in "http://${host}".`)
}

function checkProxy(proxy: string, profile: Profile): void {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return
  throw invalid(profile, 'proxy', 'is not an http or https address such as "http://host:port".')
}

function checkHeaders(headers: { readonly [name: string]: string }, profile: Profile): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) {
      throw invalid(
        profile,
        'headers',
        `has ${JSON.stringify(name)}, which is not a valid header name.`,
      )
    }
    if (isUnsendable(value)) {
      throw invalid(
        profile,
        'headers',
        `has a line break or another character that a header cannot contain in "${name}".`,
      )
    }
  }
}

function checkKey(key: string, profile: Profile): void {
  if (!isUnsendable(key)) return
  const { keySetting = 'api_key' } = profile
  throw invalid(
    profile,
    keySetting,
    'contains a line break or another character that a header cannot contain.',
  )
}

/** Whether a text contains characters that are not allowed in a header value (RFC 9110, 5.5). */
function isUnsendable(text: string): boolean {
  return /[^\t\x20-\x7e\x80-\xff]/.test(text)
}
