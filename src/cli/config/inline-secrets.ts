import { isSecretName } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'

const MASK = '***'
const SECRET = { $secret: true } as const
/** A member of an object whose text is a secret, such as `api_key`, `apiKey` and `client_secret`. */
const MEMBER =
  /(?:^|[_-])(?:key|token|secret|password|passwd|[Aa]uthorization)$|[a-z](?:Key|Token|Secret|Password)$/
const OPTION = /^--?([A-Za-z][\w-]*)(?:(=).*)?$/s
const HEADER = /^([\w-]+):\s/

/**
 * Copies a value for display and masks the secrets that no schema marks, since they stand within other values: logins and
 * keys in addresses, options of commands, and members of free objects.
 * @param isInSettings whether it stands in settings, where the names of members tell what they are
 */
export function withoutInlineSecrets(value: unknown, isInSettings = false): unknown {
  if (typeof value === 'string') return value.split(' ').map(maskedAddress).join(' ')
  if (Array.isArray(value))
    return value.map((item, at) => maskedItem(item, value[at - 1], isInSettings))
  if (!isObject(value) || '$secret' in value) return value
  const members = Object.entries(value).map(([name, inner]) => {
    const isSecret = isInSettings && typeof inner === 'string' && inner !== '' && MEMBER.test(name)
    return [
      name,
      isSecret ? SECRET : withoutInlineSecrets(inner, isInSettings || name === 'settings'),
    ]
  })
  return Object.fromEntries(members)
}

/** An item of a list, which may be the arguments of a command: `--token`, value. */
function maskedItem(item: unknown, before: unknown, isInSettings: boolean): unknown {
  if (typeof item !== 'string') return withoutInlineSecrets(item, isInSettings)
  const [, option = '', joined] = typeof before === 'string' ? (OPTION.exec(before) ?? []) : []
  if (joined === undefined && isSecretName(option) && !item.startsWith('-')) return MASK
  const [, own = '', sign] = OPTION.exec(item) ?? []
  if (sign !== undefined && isSecretName(own))
    return `${item.slice(0, item.indexOf('=') + 1)}${MASK}`
  const [, header = ''] = HEADER.exec(item) ?? []
  return isSecretName(header) ? `${header}: ${MASK}` : withoutInlineSecrets(item, isInSettings)
}

/** A word in which the login and the keys of an address are masked, if it has an address. */
function maskedAddress(word: string): string {
  const at = word.indexOf('://')
  if (at === -1) return word
  const from = at + '://'.length
  const [place = ''] = word.slice(from).split(/[/?#]/, 1)
  const login = place.lastIndexOf('@')
  const host = login === -1 ? place : `${MASK}${place.slice(login)}`
  const [rest = '', ...fragment] = word.slice(from + place.length).split('#')
  const [path, ...query] = rest.split('?')
  const asked = query.length === 0 ? '' : `?${query.join('?').split('&').map(maskedPair).join('&')}`
  return [`${word.slice(0, from)}${host}${path}${asked}`, ...fragment].join('#')
}

function maskedPair(pair: string): string {
  const [name = '', ...value] = pair.split('=')
  return value.length > 0 && isSecretName(name) ? `${name}=${MASK}` : pair
}
