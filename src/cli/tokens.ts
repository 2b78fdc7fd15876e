import type { Storage } from '@braidwork/agent'
import type { StoredToken } from '@braidwork/agent/internal'
import { faultIn } from '@braidwork/core/internal'
import { type Diagnostic, HostError, isObject, type JsonObject } from '@braidwork/plugin'
import { asSentence } from '@braidwork/plugin/internal'
import type { PublishedModels } from '@braidwork/server'
import { issueToken, TOKEN_IDENTITY, tokenFaults } from '@braidwork/server/internal'
import { agentNames } from './agent-names.ts'
import { jsonText } from './characters.ts'
import { EXIT, reportDiagnostics } from './exit.ts'
import { openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'
import { type OpenedPlace, withStorage, withStorageIfThere } from './server-store.ts'
import { stylesOf, table } from './terminal.ts'

export interface TokensOptions extends ConfigOptions {
  readonly json?: boolean
}

export interface TokensIssueOptions extends TokensOptions {
  readonly role?: string
  readonly scope?: string
  /** Names of models. */
  readonly for?: readonly string[]
  /** Limits as `key=value`, or `model.key=value`. */
  readonly limit?: readonly string[]
  /** False with `--no-host-tools`. */
  readonly hostTools?: boolean
  /** In days. */
  readonly expires?: number
}

const DAY = 24 * 60 * 60_000

/** `braidwork tokens issue <id>`: stores a new token for a caller, and prints its secret, once. */
export async function tokensIssueCommand(id: string, options: TokensIssueOptions): Promise<number> {
  const identity = await checkedIdentity(identityFor(id, options))
  const faults = await modelFaults(identity, options)
  reportDiagnostics(faults)
  if (faults.length > 0) return EXIT.usage
  const now = Date.now()
  const { expires } = options
  const expiresAt = expires === undefined ? undefined : now + expires * DAY
  const { secret, token } = issueToken(identity, now, expiresAt)
  const create = async (storage: Storage, opened: OpenedPlace) => {
    await storage.tokens.create(token)
    return opened
  }
  const place = await withStorage(options, create, { creates: true })
  if (options.json) process.stdout.write(`${jsonText({ ...shownToken(token), secret }, 2)}\n`)
  else {
    process.stdout.write(`${secret}\n`)
    const { dim } = stylesOf(process.stderr)
    const text = `This is the only time that the secret is shown. The id of the token is ${token.id}. It is in the storage ${place.shown}.`
    process.stderr.write(`${dim(text)}\n`)
  }
  if (place.isNew) reportDiagnostics([newStorage(place)])
  return EXIT.ok
}

/** `braidwork tokens list`: prints the tokens, without their secrets. */
export async function tokensListCommand(options: TokensOptions): Promise<number> {
  const tokens = await withStorage(options, (storage) => storage.tokens.list())
  if (options.json) {
    process.stdout.write(`${jsonText(tokens.map(shownToken), 2)}\n`)
    return EXIT.ok
  }
  const now = Date.now()
  const rows = tokens.map((token) => [
    token.id,
    `${token.prefix}…`,
    String(token.identity['id']),
    stateOf(token, now),
    dateOf(token.createdAt),
    dateOf(token.lastUsedAt),
  ])
  const head = ['TOKEN', 'SECRET', 'CALLER', 'STATE', 'ISSUED', 'LAST USED']
  if (rows.length > 0) process.stdout.write(table([head, ...rows], stylesOf(process.stdout).dim))
  else process.stderr.write('No token was issued; "braidwork tokens issue" issues one.\n')
  return EXIT.ok
}

/** `braidwork tokens revoke <token>`: revokes a token on all servers of the storage. */
export async function tokensRevokeCommand(id: string, options: ConfigOptions): Promise<number> {
  const isKnown = await withStorage(options, (storage) => storage.tokens.revoke(id, Date.now()))
  if (isKnown) {
    process.stdout.write('revoked; servers refuse it within five seconds\n')
    return EXIT.ok
  }
  const message = `There is no token "${id.slice(0, 100)}"; "braidwork tokens list" lists them by their ids.`
  throw new HostError('OPTION_INVALID', message)
}

function newStorage({ shown }: OpenedPlace): Diagnostic {
  const message = `The storage ${shown} is new. A server with another user, folder or config has another storage, and refuses the token.`
  return { code: 'STORAGE_NEW', level: 'warning', message }
}

function identityFor(id: string, options: TokensIssueOptions): JsonObject {
  const { role, scope, for: models = [], limit: texts = [], hostTools = true } = options
  const own: Record<string, number> = {}
  const ofModels = new Map<string, Record<string, number>>(models.map((name) => [name, {}]))
  for (const text of texts) {
    const { model, key, value } = limitIn(text)
    if (model === undefined) own[key] = value
    else if (models.length > 0 && !models.includes(model)) throw notAllowed(model)
    else ofModels.set(model, { ...ofModels.get(model), [key]: value })
  }
  return {
    id,
    ...(role === undefined ? {} : { role }),
    ...(scope === undefined ? {} : { scope }),
    ...(ofModels.size > 0 ? { models: Object.fromEntries(ofModels) } : {}),
    ...(texts.length > 0 ? { limits: own } : {}),
    ...(hostTools ? {} : { host_tools: 'none' }),
  }
}

function notAllowed(model: string): HostError {
  const message = `--limit names the model "${model}", which --for does not allow. Add --for ${model}, or leave the limit out.`
  return new HostError('OPTION_INVALID', message)
}

/** Reads `key=value` or `model.key=value`. The name of a model may contain dots. */
function limitIn(text: string) {
  const { model, key, value } =
    /^(?:(?<model>.+)\.)?(?<key>\w+)=(?<value>[\d.]+)$/.exec(text)?.groups ?? {}
  if (key !== undefined && value !== undefined) return { model, key, value: Number(value) }
  const message = `--limit takes KEY=NUMBER or MODEL.KEY=NUMBER, as in --limit requests_per_minute=60, not "${text}".`
  throw new HostError('OPTION_INVALID', message)
}

const SCHEMA = {
  type: 'object',
  properties: TOKEN_IDENTITY,
  required: ['id'],
  additionalProperties: false,
}

async function checkedIdentity(identity: JsonObject): Promise<JsonObject> {
  const fault = await faultIn(SCHEMA, identity)
  if (!fault) return identity
  throw new HostError(
    'OPTION_INVALID',
    `The token is not valid at ${fault.pointer}: ${asSentence(fault.message)}`,
  )
}

/** The models of a token that the server does not publish. */
async function modelFaults(identity: JsonObject, options: ConfigOptions) {
  if (!isObject(identity['models'])) return []
  const opened = await openHost({ ...options, walksUp: false })
  const { host, server } = opened
  await using _ = host
  // Only the names of the models count here. Their configs may refer to variables that only the server has.
  const models = isObject(server) ? (server['models'] as PublishedModels | undefined) : undefined
  const token = {
    token: '',
    id: String(identity['id']),
    models: identity['models'] as { readonly [name: string]: object },
  }
  const listed = isObject(server) ? server['agents'] : undefined
  const published = Array.isArray(listed) ? listed.map(String) : undefined
  const agents = await withStorageIfThere(options, (storage) =>
    agentNames(opened, published, storage),
  )
  return await tokenFaults(host, { tokens: [token], ...(models ? { models } : {}) }, agents)
}

/** A token without its hash. */
function shownToken({ hash: _, ...token }: StoredToken): Omit<StoredToken, 'hash'> {
  return token
}

function stateOf({ revokedAt, expiresAt }: StoredToken, now: number): string {
  if (revokedAt !== undefined) return `revoked ${dateOf(revokedAt)}`
  if (expiresAt === undefined) return 'valid'
  return `${expiresAt <= now ? 'expired' : 'valid until'} ${dateOf(expiresAt)}`
}

function dateOf(time: number | undefined): string {
  return time === undefined ? 'never' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
