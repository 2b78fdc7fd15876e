import type { Host } from '@braidwork/core'
import { isObject } from '@braidwork/plugin'

const SECRET = { $secret: true } as const
const REFERENCE = /\$\{env:[^{}]*\}/

/**
 * Copies the `server` part of a config for display. Tokens, the password of a storage, texts with `${env:NAME}` and
 * the secret settings of published models are replaced with `{"$secret": true}`. The part need not be valid.
 */
export function shownServerConfig(host: Host, server: unknown): unknown {
  if (!isObject(server)) return server === undefined ? undefined : SECRET
  const shown = Object.entries(server).map(([key, value]) => [key, shownValue(host, key, value)])
  return withoutReferences(Object.fromEntries(shown))
}

function shownValue(host: Host, key: string, value: unknown): unknown {
  if (key === 'tokens') return shownTokens(value)
  if (key === 'store') return hasPassword(value) ? SECRET : value
  return key === 'models' && isObject(value)
    ? mapValues(value, (one) => shownModel(host, one))
    : value
}

function shownTokens(tokens: unknown): unknown {
  if (!Array.isArray(tokens)) return SECRET
  return tokens.map((entry: unknown) => (isObject(entry) ? { ...entry, token: SECRET } : SECRET))
}

/** Whether the address of a storage has a password, in front of the host name or in its query. */
function hasPassword(store: unknown): boolean {
  if (typeof store !== 'string') return true
  if (!store.includes('://')) return false
  if (!URL.canParse(store)) return true
  const { password, searchParams } = new URL(store)
  return password !== '' || [...searchParams.keys()].some((name) => /pass|key/i.test(name))
}

function shownModel(host: Host, model: unknown): unknown {
  if (!isObject(model)) return model
  const { config } = model
  const hasSettings = isObject(config) && Object.hasOwn(config, 'settings')
  return hasSettings ? { ...model, config: host.masked(config) } : model
}

function withoutReferences(value: unknown): unknown {
  if (typeof value === 'string') return REFERENCE.test(value) ? SECRET : value
  if (Array.isArray(value)) return value.map(withoutReferences)
  return isObject(value) ? mapValues(value, withoutReferences) : value
}

function mapValues(object: object, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}
