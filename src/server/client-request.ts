import { HostError } from '@braidwork/plugin'
import { offeredTools } from './agent-tools.ts'
import type { RouteContext, Services } from './context.ts'
import { ownStorage } from './own-storage.ts'
import type { WireRequest } from './wire/index.ts'

/** The header with which a request of any protocol narrows its tools. */
const HOST_TOOLS = 'x-braidwork-host-tools'

/**
 * Adapts a decoded request to its agent, and to the header about tools of the host.
 * @param pointer where the protocol names the agent
 * @throws {HostError} MODEL_UNPUBLISHED; REQUEST_INVALID
 */
export async function clientRequest<R extends WireRequest>(
  c: RouteContext,
  { catalog }: Services,
  decoded: R,
  pointer = '/model',
): Promise<R> {
  const request = await catalog.requestFor(c.get('identity'), decoded, pointer)
  const wanted = c.req.header(HOST_TOOLS)
  if (wanted === undefined) return request
  if (wanted === 'none') return { ...request, hostTools: 'none' }
  const message = `The header "${HOST_TOOLS}" must be none, or left out: a request can only narrow its tools.`
  throw new HostError('REQUEST_INVALID', message, { pointer: `/${HOST_TOOLS}` })
}

/** Returns a header that lists the tools of the host whose place tools of the client take. */
export async function replacedHeaders(
  c: RouteContext,
  { host, catalog, quotas }: Services,
  { agent, tools, hostTools }: WireRequest,
): Promise<{ readonly [name: string]: string }> {
  const identity = c.get('identity')
  if (tools.length === 0 || hostTools === 'none' || identity.host_tools === 'none') return {}
  if (!host.plugins.some(({ kind }) => kind === 'tool')) return {}
  const own = new Set(tools.map(({ name }) => name))
  const { plan } = await catalog.find(identity, agent)
  const offered = await offeredTools(ownStorage(host, identity, quotas), plan)
  const replaced = offered.map(({ name }) => name).filter((name) => own.has(name))
  if (replaced.length === 0) return {}
  return { 'x-braidwork-replaced-tools': replaced.join(', ').slice(0, 1000) }
}
