import { ENVIRONMENT } from '@braidwork/agent/internal'
import {
  assertKinds,
  assertSameVersion,
  BOOLEAN,
  DURATION,
  FUNCTION,
  INSTANCE,
  invalidOption,
  isListOf,
  isText,
  type Kind,
  OBJECT,
  objectOf,
  POSITIVE,
  TEXT,
  unknownOption,
} from '@braidwork/core/internal'
import { isObject, pointerOf } from '@braidwork/plugin'
import { isIdentity } from '../identity.ts'
import { assertActions } from './action-faults.ts'
import { hostNameFault } from './host-names.ts'
import {
  BASE_PATH,
  BASE_PATH_EXPECTED,
  DEFAULT_WIRE_LIMITS,
  PROTOCOLS,
  type ServerOptions,
} from './server-options.ts'

const TEXTS: Kind = { has: (value) => isListOf(value, isText), expected: 'a list of texts' }
const IDENTITY: Kind = {
  has: isIdentity,
  expected: 'an identity, such as { id: "me", role: "admin" }',
}
const PREFIX = new RegExp(BASE_PATH)
const PATH: Kind = {
  has: (value) => typeof value === 'string' && PREFIX.test(value),
  expected: BASE_PATH_EXPECTED,
}
const PROTOCOL_LIST: Kind = {
  has: (value) => isListOf(value, (one) => (PROTOCOLS as readonly unknown[]).includes(one)),
  expected: `a list of protocols: ${PROTOCOLS.join(', ')}`,
}

/** Each option, and the kind of its value. */
const KINDS: { readonly [K in keyof ServerOptions]-?: Kind } = {
  host: INSTANCE,
  storage: INSTANCE,
  models: OBJECT,
  runtime: INSTANCE,
  agents: TEXTS,
  storable: TEXTS,
  authenticate: FUNCTION,
  storedTokens: BOOLEAN,
  anonymous: IDENTITY,
  hosts: TEXTS,
  origins: TEXTS,
  limits: OBJECT,
  cancelAfter: DURATION,
  heartbeat: DURATION,
  retention: DURATION,
  keepResponses: DURATION,
  askAllowedOn: PROTOCOL_LIST,
  pushNotifications: objectOf({ allowPrivate: BOOLEAN }),
  telemetry: objectOf({ content: BOOLEAN }),
  mcpTools: TEXT,
  settable: TEXTS,
  actions: TEXTS,
  trustsProxy: BOOLEAN,
  logsContent: BOOLEAN,
  showsUpstreamErrors: BOOLEAN,
  page: INSTANCE,
  basePath: PATH,
  log: FUNCTION,
  environment: ENVIRONMENT,
  lease: objectOf({ heartbeat: POSITIVE, expiry: POSITIVE }),
  instructions: FUNCTION,
  config: FUNCTION,
}
const NAMES = Object.keys(KINDS)
const MODEL = { title: TEXT, config: OBJECT, host_tools: TEXT }
const MODEL_KEYS = Object.keys(MODEL)
const LIMITS = [...Object.keys(DEFAULT_WIRE_LIMITS), 'cost_per_day']

const EXAMPLES = {
  host: 'the result of "await createHost(…)"',
  storage: 'such as memoryStorage() or "await openStorage(…)" of braidwork/store',
} as const

/**
 * Checks the options of a server, which may come from untyped code.
 * @throws {HostError} OPTION_INVALID, with a pointer; PACKAGE_MISMATCH
 */
export function assertOptions(options: ServerOptions): void {
  assertComplete(options)
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw unknownOption('createServer', `/${unknown}`, NAMES)
  assertKinds('createServer', options, KINDS)
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    if (!LIMITS.includes(name))
      throw unknownOption('"limits" of createServer', `/limits/${name}`, LIMITS)
    if (typeof value === 'number' && value > 0) continue
    throw invalidOption(
      `"limits.${name}" of createServer must be a number above 0.`,
      `/limits/${name}`,
    )
  }
  for (const [name, model] of Object.entries(options.models ?? {})) assertModel(name, model)
  assertHosts(options)
  assertActions(options.host, options)
}

function assertHosts({ hosts = [] }: ServerOptions): void {
  const fault = hostNameFault(hosts)
  if (fault)
    throw invalidOption(`"hosts" of createServer: ${fault.message}.`, `/hosts/${fault.index}`)
}

/** A key of the config, such as "model", is easily written beside "config" in place of into it. */
function assertModel(name: string, model: unknown): void {
  const pointer = pointerOf(['models', name])
  const of = `The model "${name}" of createServer`
  if (!isObject(model)) throw invalidOption(`${of} must be an object.`, pointer)
  for (const key of Object.keys(model)) {
    if (!MODEL_KEYS.includes(key)) throw unknownOption(of, `${pointer}/${key}`, MODEL_KEYS)
  }
  assertKinds(of, model, MODEL, pointer)
}

function assertComplete(options: ServerOptions): void {
  const given: Partial<ServerOptions> = isObject(options) ? options : {}
  for (const needed of ['host', 'storage'] as const) {
    const value: unknown = given[needed]
    if (value instanceof Promise) {
      throw invalidOption(`"${needed}" of createServer is a promise: await it.`, `/${needed}`)
    }
    if (INSTANCE.has(value)) continue
    throw invalidOption(`createServer needs "${needed}", ${EXAMPLES[needed]}.`, `/${needed}`)
  }
  assertSameVersion(options.host, '@braidwork/server')
  const { authenticate, storedTokens, anonymous } = options
  if (authenticate || storedTokens || anonymous) return
  throw invalidOption(
    'createServer needs "authenticate", "storedTokens" or "anonymous", to know who may call the server.',
  )
}
