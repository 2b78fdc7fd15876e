import { providerError } from './errors.ts'
import type { Profile } from './profile.ts'
import { refusing } from './refusal.ts'
import type { ConnectionSettings } from './settings.ts'
import { type Fetch, nodeFetch } from './transport.ts'

/** Where requests go, and as whom. */
export interface Access {
  readonly profile: Profile
  readonly settings: ConnectionSettings
  /** The application's own, in place of Node's client. */
  readonly fetch?: Fetch | undefined
}

/** Settings of a connection that were looked at before anything is sent. */
export interface Endpoint {
  readonly baseURL: string
  readonly headers: { readonly [name: string]: string }
  readonly maxRetries: number
  /** What the SDK sends with. */
  readonly fetch: Fetch
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const ENDINGS = /\/(chat\/completions|completions|responses|messages|models)\/*$/

/**
 * Where requests go.
 * @throws SETTINGS_INVALID where an address, a header or the key is none; the message has no secret
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
    fetch: refusing(fetch ?? nodeFetch(proxy)),
  }
}

/** An address as it is joined with a path. */
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
  const { protocol, username, password, search, hash, pathname } = parsed(url, wrong)
  if (protocol !== 'http:' && protocol !== 'https:') throw withoutScheme(url, wrong)
  if (username !== '' || password !== '') {
    throw wrong(
      'has a user name or a password in it. Leave them out; the key has a setting of its own.',
    )
  }
  if (search !== '' || hash !== '') {
    throw wrong(`has a query or a fragment. Leave out ${JSON.stringify(search + hash)}.`)
  }
  const ending = ENDINGS.exec(pathname)?.[0]
  if (ending)
    throw wrong(`ends in ${JSON.stringify(ending)}, which each request adds. Leave it out.`)
}

function parsed(url: string, wrong: (what: string) => Error): URL {
  try {
    return new URL(url)
  } catch {
    throw withoutScheme(url, wrong)
  }
}

/** `localhost:8080` is a URL of the scheme "localhost" to a parser, and a slip to a reader. */
function withoutScheme(url: string, wrong: (what: string) => Error): Error {
  const host = url.replace(/^.*@/, '').replace(/^[a-z]*:?\/\//i, '')
  return wrong(`is no address of http or https. Write it with its scheme, as "http://${host}".`)
}

function checkProxy(proxy: string, profile: Profile): void {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return
  throw invalid(profile, 'proxy', 'is no address of http or https, as "http://host:port".')
}

function checkHeaders(headers: { readonly [name: string]: string }, profile: Profile): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) {
      throw invalid(
        profile,
        'headers',
        `has ${JSON.stringify(name)}, which is no name of a header.`,
      )
    }
    if (isUnsendable(value)) {
      throw invalid(
        profile,
        'headers',
        `has a line break, or what no header can carry, in "${name}".`,
      )
    }
  }
}

function checkKey(key: string, profile: Profile): void {
  if (!isUnsendable(key)) return
  const { keySetting = 'api_key' } = profile
  throw invalid(profile, keySetting, 'has a line break, or what no header can carry, in it.')
}

/** Whether a text has characters that a header must not have (RFC 9110, 5.5). */
function isUnsendable(text: string): boolean {
  return /[^\t\x20-\x7e\x80-\xff]/.test(text)
}
