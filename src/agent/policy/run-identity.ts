import { unknownOption } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'

/** What the identity of a run allows. What is absent does not restrict. */
export interface RunScope {
  /** The tools that may run, by the names that the model uses. */
  readonly tools?: readonly string[]
  /** When the scope ends, in milliseconds since 1970. From then on it allows nothing. */
  readonly expiresAt?: number
}

/** For whom a run works. Each run below it inherits the same facts, and the scope or a part of it. AL-07 */
export interface RunIdentity {
  /** The id of the request that led to the root. */
  readonly request: string
  /** The id of the session or the conversation. */
  readonly session: string
  readonly role: string
  /** The id of the caller. */
  readonly identity: string
  /** How the request came, such as a protocol. */
  readonly source: string
  readonly scope: RunScope
}

/** An identity that nobody can change any more. @throws {HostError} OPTION_INVALID, with a pointer */
export function runIdentity(identity: RunIdentity): RunIdentity {
  assertIdentity('runIdentity', '', identity)
  const { scope, ...facts } = identity
  return Object.freeze({ ...facts, scope: frozenScope(scope) })
}

const FACTS = ['request', 'session', 'role', 'identity', 'source'] as const
const MEMBERS = [...FACTS, 'scope']
const SCOPE = ['tools', 'expiresAt']

/**
 * Checks an identity: a misspelled restriction, or one of another form, would restrict nothing.
 * @param of what takes the identity @param at the pointer of its place there
 * @throws {HostError} OPTION_INVALID, with a pointer
 */
export function assertIdentity(of: string, at: string, identity: unknown): void {
  if (!isObject(identity)) throw invalid(at, 'The identity of a run must be an object.')
  assertNames(`The identity of ${of}`, at, identity, MEMBERS)
  for (const name of FACTS) {
    if (typeof identity[name] === 'string') continue
    throw invalid(`${at}/${name}`, `"${name}" of the identity of ${of} must be a text.`)
  }
  const { scope } = identity
  const place = `${at}/scope`
  if (!isObject(scope)) {
    const message = `"scope" of the identity of ${of} must be an object; {} does not restrict.`
    throw invalid(place, message)
  }
  assertNames(`"scope" of ${of}`, place, scope, SCOPE)
  const { tools, expiresAt } = scope
  const areNames = Array.isArray(tools) && tools.every((one) => typeof one === 'string')
  if (tools !== undefined && !areNames)
    throw invalid(`${place}/tools`, `"tools" of the scope of ${of} must be a list of names.`)
  const isTime = typeof expiresAt === 'number' && !Number.isNaN(expiresAt)
  if (expiresAt === undefined || isTime) return
  const message = `"expiresAt" of the scope of ${of} must be a number of milliseconds since 1970.`
  throw invalid(`${place}/expiresAt`, message)
}

function assertNames(of: string, at: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownOption(of, `${at}/${unknown}`, known)
}

function invalid(pointer: string, message: string): HostError {
  return new HostError('OPTION_INVALID', message, { pointer })
}

/** The identity of a run below another one: the same, with a scope that allows no more than both. AL-07 */
export function inheritedIdentity(parent: RunIdentity, scope: RunScope = {}): RunIdentity {
  const { tools, expiresAt } = parent.scope
  const ends = [expiresAt, scope.expiresAt].filter((one) => one !== undefined)
  const common =
    tools && scope.tools ? scope.tools.filter((name) => tools.includes(name)) : undefined
  const allowed = common ?? tools ?? scope.tools
  return runIdentity({
    ...parent,
    scope: {
      ...(allowed ? { tools: allowed } : {}),
      ...(ends.length > 0 ? { expiresAt: Math.min(...ends) } : {}),
    },
  })
}

/** Why a scope does not allow a tool. Undefined if it does. */
export function scopeFault({ scope }: RunIdentity, tool: string, now: number): string | undefined {
  if (isExpired(scope, now)) return EXPIRED
  if (scope.tools?.includes(tool) ?? true) return undefined
  return `The scope of this run does not allow "${tool}".`
}

/** Why a run may do nothing any more. Undefined if it may. */
export function expiryFault(identity: RunIdentity | undefined, now: number): string | undefined {
  return identity && isExpired(identity.scope, now) ? EXPIRED : undefined
}

/** @throws {HostError} SCOPE_EXPIRED */
export function assertInScope(identity: RunIdentity | undefined, now: number): void {
  const fault = expiryFault(identity, now)
  if (fault !== undefined) throw new HostError('SCOPE_EXPIRED', fault)
}

const EXPIRED = 'The scope of this run has expired, so it allows nothing any more.'

function isExpired({ expiresAt = Infinity }: RunScope, now: number): boolean {
  return now >= expiresAt
}

function frozenScope({ tools, expiresAt }: RunScope): RunScope {
  return Object.freeze({
    ...(tools ? { tools: Object.freeze([...tools]) } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
}
