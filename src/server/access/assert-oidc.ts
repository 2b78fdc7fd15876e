import {
  invalidOption,
  isListOf,
  isText,
  type Kind,
  TEXT,
  unknownOption,
} from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { ADDRESS, ADDRESS_EXPECTED, AMOUNTS_SCHEMA, OIDC_SCHEMA } from './identity-schema.ts'

const secure = new RegExp(ADDRESS)

const ADDRESS_KIND: Kind = {
  has: (value) => typeof value === 'string' && secure.test(value),
  expected: ADDRESS_EXPECTED,
}
const LIMITS: Kind = {
  has: isLimits,
  expected: `an object with numbers above 0: ${Object.keys(AMOUNTS_SCHEMA.properties).join(', ')}`,
}

/** The kinds of the options. A program cannot wait for a compiled schema; the tests compare them with that of the config. */
const KINDS: { readonly [K in keyof typeof OIDC_SCHEMA.properties]: Kind } = {
  issuer: ADDRESS_KIND,
  audience: {
    has: (value) =>
      isText(value) || (isListOf(value, isText) && (value as readonly unknown[]).length > 0),
    expected: 'a text that is not empty, or a list of such texts',
  },
  jwks_uri: ADDRESS_KIND,
  role_claim: TEXT,
  admin_values: { has: (value) => isListOf(value, isText), expected: 'a list of texts' },
  scope_claim: TEXT,
  models: {
    has: (value) =>
      isListOf(value, (one) => typeof one === 'string') ||
      (isObject(value) && Object.values(value).every(isLimits)),
    expected: 'a list of names, or an object with the limits of each',
  },
  limits: LIMITS,
  host_tools: { has: (value) => value === 'none', expected: '"none"' },
}
const REQUIRED: readonly string[] = OIDC_SCHEMA.required

/**
 * Checks the options of `oidcAuthenticator`, which may come from untyped code, as the config is checked.
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertOidc(given: unknown): void {
  const options = isObject(given) ? given : {}
  for (const [name, { has, expected }] of Object.entries(KINDS)) {
    const value = options[name]
    if (value === undefined ? !REQUIRED.includes(name) : has(value)) continue
    throw invalidOption(`"${name}" of oidcAuthenticator must be ${expected}.`, `/${name}`)
  }
  const names = Object.keys(KINDS)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw unknownOption('oidcAuthenticator', `/${unknown}`, names)
}

function isLimits(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, amount]) => {
      if (!Object.hasOwn(AMOUNTS_SCHEMA.properties, name)) return false
      return name === 'cost_per_day'
        ? Number.isFinite(amount) && Number(amount) > 0
        : Number.isInteger(amount) && Number(amount) >= 1
    })
  )
}
