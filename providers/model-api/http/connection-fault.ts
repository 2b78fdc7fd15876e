import type { Profile } from '../profile.ts'
import type { ConnectionSettings } from '../settings.ts'

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const ENDINGS = /\/(chat\/completions|completions|responses|messages|models)\/*$/
/** The path of Azure's older addresses, which need the query `api-version`. */
const DEPLOYMENT = /\/openai\/deployments\//

/** A connection setting that cannot be used, and why, as the rest of a sentence about it. It contains no secret. */
export interface SettingFault {
  /** Where it stands in the provider's settings. */
  readonly path: readonly string[]
  readonly message: string
}

/** The first connection setting that cannot be used, for reasons that a JSON Schema does not express. */
export function connectionFault(
  { base_url: baseURL, proxy, headers = {}, api_key: key }: ConnectionSettings,
  { keySetting = ['api_key'] }: Pick<Profile, 'keySetting'>,
): SettingFault | undefined {
  return (
    faultOf(['base_url'], baseURL === undefined ? undefined : urlFault(baseURL)) ??
    faultOf(['proxy'], proxy === undefined ? undefined : proxyFault(proxy)) ??
    faultOf(['headers'], headersFault(headers)) ??
    faultOf(keySetting, key === undefined ? undefined : keyFault(key))
  )
}

/** The member of a plugin that checks its settings, apart from their JSON Schema. The host knows it. */
const SETTINGS_CHECK = Symbol.for('braidwork.settings-check')

/** The settings that a request is sent with, and what its API calls its key. */
interface Sent {
  readonly settings: ConnectionSettings
  readonly profile?: Pick<Profile, 'keySetting'>
}

/**
 * Has the host check the connection settings with the config, and not only the first request.
 * @param sentOf which settings a request is sent with; by default those that are given
 */
export function connectionCheck<S extends ConnectionSettings>(
  sentOf: (settings: S) => Sent = (settings) => ({ settings }),
): object {
  return {
    [SETTINGS_CHECK]: (given: S) => {
      const { settings, profile = {} } = sentOf(given)
      const fault = connectionFault(settings, profile)
      if (!fault) return { value: given }
      return { issues: [{ path: fault.path, message: `it ${fault.message}` }] }
    },
  }
}

function faultOf(path: readonly string[], message: string | undefined): SettingFault | undefined {
  return message === undefined ? undefined : { path, message }
}

function urlFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return withoutScheme(address)
  const { username, password, search, hash, pathname, origin } = url
  if (username !== '' || password !== '') {
    return 'contains a user name or a password. Remove them; the key has its own setting.'
  }
  if (search !== '' && DEPLOYMENT.test(pathname)) {
    return `is the address of one deployment of Azure. Set it to "${origin}/openai/v1" and "model" to the deployment, or use the provider "ai-sdk" with the package "@ai-sdk/azure".`
  }
  if (search !== '' || hash !== '') {
    return `has a query or a fragment. Remove ${JSON.stringify(search + hash)}.`
  }
  const ending = ENDINGS.exec(pathname)?.[0]
  if (ending === undefined) return undefined
  return `ends in ${JSON.stringify(ending)}, which each request adds itself. Remove it.`
}

/** `localhost:8080` parses as a URL with the scheme "localhost", but the user forgot the scheme. */
function withoutScheme(address: string): string {
  const host = address.replace(/^.*@/, '').replace(/^[a-z]*:?\/\//i, '')
  return `is not an http or https address. Add the scheme, as in "http://${host}".`
}

function proxyFault(proxy: string): string | undefined {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return undefined
  return 'is not an http or https address such as "http://host:port".'
}

function headersFault(headers: { readonly [name: string]: string }): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) return `has ${JSON.stringify(name)}, which is not a valid header name.`
    if (isUnsendable(value)) {
      return `has a line break or another character that a header cannot contain in "${name}".`
    }
  }
  return undefined
}

function keyFault(key: string): string | undefined {
  if (!isUnsendable(key)) return undefined
  return 'contains a line break or another character that a header cannot contain.'
}

/** Whether a text contains characters that are not allowed in a header value (RFC 9110, 5.5). */
function isUnsendable(text: string): boolean {
  return /[^\t\x20-\x7e\x80-\xff]/.test(text)
}
