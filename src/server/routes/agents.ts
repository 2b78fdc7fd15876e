import type { AgentSpec } from '@braidwork/agent'
import {
  explained,
  faultsOf,
  maskedSpec,
  type StoredAgent,
  type StoredDocument,
} from '@braidwork/agent/internal'
import { HostError, isObject, type JsonObject } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { type Expected, SPECS_OWNER, storedSchema } from '../agents/index.ts'
import { readJson } from '../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../context.ts'
import { responseOf } from '../dialect.ts'
import { OwnFields } from '../own-fields.ts'
import { assertParameters, isTrial } from '../parameter.ts'
import { etagOf, preconditionIn } from '../preconditions.ts'

/** The most bytes of a spec, as JSON. */
const MOST_BYTES = 1 << 20
const LONGEST_NAME = 200

/** The routes by which admins store agents and models. AW-56 */
export function agentRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { host, agents } = services
  const { stored, trial } = agents
  guard(app)
  modelSpecRoutes(app, services)

  app.get('/api/agent-schema', async (c) => c.json({ schema: await storedSchema(agents) }))
  app.get('/api/agents', async (c) => c.json({ agents: await listed(services) }))

  app.get('/api/agents/:id', async (c) => {
    const declared = agents.declared.runtime.agents.find(({ id }) => id === c.req.param('id'))
    if (declared) return tagged(c, { ...headOf(declared), spec: maskedSpec(host, declared) })
    return tagged(c, shownOf(await agentOf(c, services)))
  })

  app.put('/api/agents/:id', async (c) => {
    const { id, spec, isTrial } = await specIn(c, services)
    return tried(async () => {
      const { spec: own, resolved } = await trial.agent(id, spec)
      if (isTrial) return c.json(explained(host, resolved))
      await assertRoom(services, own)
      const saved = await stored.saveAgent(own, expectedBy(c, shownOf))
      return tagged(c, shownOf(saved), { warnings: resolved.warnings })
    })
  })

  app.patch('/api/agents/:id', async (c) => {
    const { id } = await agentOf(c, services)
    const name = new OwnFields(await readJson(c.req.raw, services.limits), ['name']).text(
      'name',
      LONGEST_NAME,
    )
    if (!name) {
      throw new HostError('REQUEST_INVALID', '"name" must be a text.', { pointer: '/name' })
    }
    await stored.renameAgent(id, name, expectedBy(c, shownOf))
    return tagged(c, shownOf(await agentOf(c, services)))
  })

  app.delete('/api/agents/:id', async (c) => {
    const { id } = await agentOf(c, services)
    const [asker] = await stored.askersOf(id)
    if (asker) return inUse('agent', id, asker)
    if (!(await stored.deleteAgent(id, expectedBy(c, shownOf)))) throw unknown('agent', id)
    return new Response(null, { status: 204 })
  })
}

function modelSpecRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { stored, trial } = services.agents

  app.get('/api/models', async (c) => c.json({ models: await listedModels(services) }))

  app.get('/api/models/:id', async (c) => {
    const id = c.req.param('id')
    const model = await stored.model(id)
    if (!model) throw unknown('model', id)
    return tagged(c, modelOf(model))
  })

  app.put('/api/models/:id', async (c) => {
    const { id, spec, isTrial } = await specIn(c, services)
    return tried(async () => {
      const model = await trial.model(id, spec)
      if (isTrial) return c.json({ spec: model })
      await assertRoom(services, model)
      return tagged(c, modelOf(await stored.saveModel(model, expectedBy(c, modelOf))))
    })
  })

  app.delete('/api/models/:id', async (c) => {
    const id = c.req.param('id')
    if (!(await stored.model(id))) throw unknown('model', id)
    const [user] = await stored.usersOf(id)
    if (user) return inUse('model', id, user)
    if (!(await stored.deleteModel(id, expectedBy(c, modelOf)))) throw unknown('model', id)
    return new Response(null, { status: 204 })
  })
}

const GUARDED = [
  '/api/agents',
  '/api/agents/*',
  '/api/agent-schema',
  '/api/models',
  '/api/models/*',
]

/** For callers who are no admins, the routes do not exist. */
function guard(app: Hono<{ Variables: RouteVariables }>): void {
  for (const path of GUARDED) {
    app.use(path, async (c, next) => (c.get('identity').role === 'admin' ? next() : c.notFound()))
  }
}

/** The agents of the config, then those of the storage. */
async function listed({ agents: { declared, stored } }: Services): Promise<readonly object[]> {
  const shown = (await stored.agents()).map(({ id, name, updatedAt, spec: { description } }) => ({
    id,
    name,
    from: 'storage',
    updatedAt,
    ...(description === undefined ? {} : { description }),
  }))
  return [...declared.runtime.agents.map(headOf), ...shown]
}

/** An agent of the config, without its spec. */
function headOf({ id, description }: AgentSpec): object {
  return { id, name: id, from: 'config', ...(description === undefined ? {} : { description }) }
}

async function listedModels({ agents }: Services): Promise<readonly object[]> {
  return (await agents.stored.models()).map(modelOf)
}

/** @throws {HostError} AGENT_UNKNOWN */
async function agentOf(c: RouteContext, { agents }: Services): Promise<StoredAgent> {
  const id = c.req.param('id') ?? ''
  const agent = await agents.stored.agent(id)
  if (agent) return agent
  throw unknown('agent', id)
}

function shownOf({ id, name, spec, updatedAt }: StoredAgent): object {
  return { id, name, from: 'storage', updatedAt, spec }
}

function modelOf({ name: id, content, updatedAt }: StoredDocument): object {
  return { id, spec: content, updatedAt }
}

/** Whether a stored spec is the one that a request expects by an ETag. @param shown the spec as it is answered */
function expectedBy<Stored>(c: RouteContext, shown: (stored: Stored) => object): Expected<Stored> {
  const isMet = preconditionIn(c.req.raw.headers)
  return (before) => isMet === undefined || isMet(before && etagOf(shown(before)))
}

/** Answers with a spec and its ETag. @param more what the ETag does not depend on */
function tagged(c: RouteContext, shown: object, more: object = {}): Response {
  return c.json({ ...shown, ...more }, 200, { etag: etagOf(shown) })
}

interface SpecRequest {
  readonly id: string
  readonly spec: JsonObject
  /** Whether the spec is only to be tried. */
  readonly isTrial: boolean
}

/** Reads the spec in a request. @throws {HostError} REQUEST_INVALID, REQUEST_TOO_LARGE, OPTION_INVALID */
async function specIn(c: RouteContext, { limits }: Services): Promise<SpecRequest> {
  assertParameters(c, ['trial'])
  const isTried = isTrial(c)
  const id = c.req.param('id') ?? ''
  const isOwn = limits.body > MOST_BYTES
  const most = isOwn ? { ...limits, body: MOST_BYTES } : limits
  const spec = await readJson(c.req.raw, most, isOwn ? { name: false } : {})
  if (!isObject(spec)) throw new HostError('REQUEST_INVALID', 'The body must be a JSON object.')
  const { id: own = id } = spec
  if (own !== id) {
    const message = `The spec has the id ${JSON.stringify(own).slice(0, 100)}, but the address has "${id.slice(0, 100)}".`
    throw new HostError('REQUEST_INVALID', message, { pointer: '/id' })
  }
  return { id, spec, isTrial: isTried }
}

/** Answers a request with a spec. An admin is told what is wrong with the spec, in the words of the check. */
async function tried(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act()
  } catch (error) {
    if (!HostError.is(error) || !SHOWN.has(error.code)) throw error
    const { code, message, pointer } = error
    const body = { error: { code, message, pointer, faults: faultsOf(error) } }
    return responseOf({ status: 422, headers: {}, body })
  }
}

/** The codes of a spec that cannot run. */
const SHOWN: ReadonlySet<string> = new Set([
  'SPEC_INVALID',
  'AGENT_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'PROVIDER_NOT_FOUND',
  'PLUGIN_NOT_FOUND',
  'AMBIGUOUS_MODEL_REFERENCE',
  'MODEL_UNFIT',
  'INVALID_PLUGIN_CONFIG',
  'ENVIRONMENT_BUILD',
  'TOOL_ID_CONFLICT',
  'SETTINGS_INVALID',
  'CONFIG_INVALID',
  'PROVIDER_UNKNOWN',
  'PROVIDER_MISSING',
  'RESOLUTION_FAILED',
  'TOOL_SCHEMA_INVALID',
  'HOOK_FAILED',
  'HOOK_ANSWER_INVALID',
])

function assertRoom({ quotas }: Services, spec: object): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(spec))
  return quotas.assertRoom({ id: SPECS_OWNER, role: 'admin' }, { bytes })
}

/** The answer to a deletion of what an agent refers to. */
function inUse(noun: 'agent' | 'model', id: string, user: StoredAgent): Promise<Response> {
  const message = `The agent "${user.id}" refers to the ${noun} "${id}". Change or delete the agent first.`
  return tried(() => Promise.reject(new HostError('SPEC_INVALID', message)))
}

function unknown(noun: 'agent' | 'model', id: string): HostError {
  const message = `The server has no stored ${noun} "${id.slice(0, 100)}".`
  return new HostError(noun === 'agent' ? 'AGENT_UNKNOWN' : 'MODEL_UNPUBLISHED', message)
}
