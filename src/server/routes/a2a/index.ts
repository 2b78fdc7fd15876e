import { HostError, type JsonObject } from '@braidwork/plugin'
import type { Hono } from 'hono'
import { readJson } from '../../bodies/index.ts'
import type { RouteContext, RouteVariables, Services } from '../../context.ts'
import type { ServerOptions } from '../../options/index.ts'
import {
  A2A_VERSION_HEADER,
  type A2aFormat,
  type A2aOperation,
  a2aVersionIn,
  assertRpc,
  decodeRpc,
  readsStreamOnly,
  rpcIdIn,
} from '../../wire/a2a/index.ts'
import { respondCard } from './card.ts'
import { setRpcFailure } from './dialect.ts'
import { operate } from './operations.ts'

export { A2A_CARD_PATH } from './card.ts'
export { a2aDialectFor } from './dialect.ts'

/** The routes by which other agents call published ones: cards, JSON-RPC and HTTP+JSON. */
export function a2aRoutes(
  app: Hono<{ Variables: RouteVariables }>,
  services: Services,
  options: ServerOptions,
): void {
  app.get('/.well-known/agent-card.json', (c) => respondCard(c, services, options))
  app.get('/a2a/:agent/.well-known/agent-card.json', (c) => respondCard(c, services, options))
  app.post('/a2a/:agent', (c) => respondRpc(c, services))
  httpRoutes(app, services)
}

async function respondRpc(c: RouteContext, services: Services): Promise<Response> {
  const request = c.req.raw
  setRpcFailure(request, { id: null, unread: -32_700 })
  const body = await readJson(request, services.limits)
  const id = rpcIdIn(body)
  setRpcFailure(request, { id, unread: -32_600 })
  assertRpc(body)
  setRpcFailure(request, { id, isStream: readsStreamOnly(body.method) })
  const { operation, version, params } = decodeRpc(body)
  a2aVersionIn(c.req.header(A2A_VERSION_HEADER))
  return carryOut(c, services, { operation, params, format: { version, rpcId: id } })
}

/** The binding HTTP+JSON, which only version 1.0 has here. */
function httpRoutes(app: Hono<{ Variables: RouteVariables }>, services: Services): void {
  const { limits } = services
  const answer = (c: RouteContext, operation: A2aOperation, params: object) => {
    if (a2aVersionIn(c.req.header(A2A_VERSION_HEADER)) === '0.3') throw onlyNew()
    return carryOut(c, services, { operation, params, format: { version: '1.0' } })
  }
  const message = async (c: RouteContext, operation: A2aOperation) =>
    answer(c, operation, (await readJson(c.req.raw, limits)) as JsonObject)
  const task = (c: RouteContext) => {
    const [id, verb] = verbIn(c.req.param('id') ?? '')
    const operation = VERBS.get(`${c.req.method} ${verb ?? ''}`)
    return operation === undefined ? c.notFound() : answer(c, operation, { id })
  }
  app.post('/a2a/:agent/message:send', (c) => message(c, 'send'))
  app.post('/a2a/:agent/message:stream', (c) => message(c, 'stream'))
  app.get('/a2a/:agent/extendedAgentCard', (c) => answer(c, 'extended-card', {}))
  app.get('/a2a/:agent/tasks', (c) => answer(c, 'list', c.req.query()))
  app.get('/a2a/:agent/tasks/:id', task)
  app.post('/a2a/:agent/tasks/:id', task)
  const configs = '/a2a/:agent/tasks/:id/pushNotificationConfigs'
  const place = (c: RouteContext) => ({ taskId: c.req.param('id'), id: c.req.param('config') })
  app.post(configs, async (c) => {
    const config = (await readJson(c.req.raw, limits)) as JsonObject
    return answer(c, 'set-notification', { ...config, taskId: c.req.param('id') })
  })
  app.get(configs, (c) => answer(c, 'list-notifications', place(c)))
  app.get(`${configs}/:config`, (c) => answer(c, 'get-notification', place(c)))
  app.delete(`${configs}/:config`, (c) => answer(c, 'delete-notification', place(c)))
}

const VERBS: ReadonlyMap<string, A2aOperation> = new Map<string, A2aOperation>([
  ['GET ', 'get'],
  ['POST cancel', 'cancel'],
  ['POST subscribe', 'subscribe'],
  ['GET subscribe', 'subscribe'],
])

/** Splits the last segment of an address, such as `3f36:cancel`. */
function verbIn(segment: string): readonly [id: string, verb?: string] {
  const at = segment.lastIndexOf(':')
  return at < 0 ? [segment] : [segment.slice(0, at), segment.slice(at + 1)]
}

interface Asked {
  readonly operation: A2aOperation
  readonly params: object
  readonly format: A2aFormat
}

/** @throws {HostError} MODEL_UNPUBLISHED, and the errors of the operation */
async function carryOut(
  c: RouteContext,
  services: Services,
  { operation, params, format }: Asked,
): Promise<Response> {
  const { name: agent } = await services.catalog.find(c.get('identity'), c.req.param('agent'))
  return operate(operation, { c, services, agent, format }, params)
}

function onlyNew(): HostError {
  const message = 'Version 0.3 of A2A is spoken in JSON-RPC only: POST to the address of the agent.'
  return new HostError('VERSION_UNSUPPORTED', message)
}
