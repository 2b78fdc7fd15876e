import type { AgentPlan } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { RouteContext, Services } from '../context.ts'
import type { Identity } from '../identity.ts'
import { ownStorage } from '../own-storage.ts'
import { offeredTools } from '../runs/index.ts'
import type { WireRequest } from '../wire/index.ts'

/** The header with which a request of any protocol narrows its tools. */
const HOST_TOOLS = 'x-braidwork-host-tools'

/**
 * Adapts a decoded request to its agent, and to the header about tools of the host. A request that names no agent is for
 * that of its conversation, which is the server's first for a new one.
 * @param pointer where the protocol names the agent
 * @throws {HostError} MODEL_UNPUBLISHED; REQUEST_INVALID, also where a call is required of tools that the agent leaves out
 */
export async function clientRequest<R extends WireRequest>(
  c: RouteContext,
  services: Services,
  decoded: R,
  pointer = '/model',
): Promise<R> {
  const identity = c.get('identity')
  const agent = await agentOf(identity, services, decoded)
  const named = agent === undefined ? decoded : { ...decoded, agent }
  const request = await services.catalog.requestFor(identity, named, pointer)
  await assertCallable(identity, services, request)
  const wanted = c.req.header(HOST_TOOLS)
  if (wanted === undefined) return request
  if (wanted === 'none') return { ...request, hostTools: 'none' }
  const message = `The header "${HOST_TOOLS}" must be none, or left out: a request can only narrow its tools.`
  throw new HostError('REQUEST_INVALID', message, { pointer: `/${HOST_TOOLS}` })
}

/**
 * Checks that the model can call a tool of a client that requires it. The requirement would fall on the tools of the host.
 * @throws {HostError} REQUEST_INVALID
 */
async function assertCallable(
  identity: Identity,
  { catalog }: Services,
  request: WireRequest,
): Promise<void> {
  const { tools, settings, agent } = request
  if (settings.tool_choice !== 'required' || tools.length === 0) return
  const { plan, name } = await catalog.find(identity, agent)
  const withheld = withheldFrom(request, plan)
  if (withheld.length < tools.length) return
  const message = `"tool_choice" requires a call of a tool of the request, and the catalog of the agent "${name}" leaves all of them out: ${withheld.join(', ').slice(0, 200)}.`
  throw new HostError('REQUEST_INVALID', message, { pointer: '/tool_choice' })
}

/** The agent that a request is for. A repeated request must be for the same one, also if the first began the conversation. */
async function agentOf(
  identity: Identity,
  { catalog, storage }: Services,
  { agent, conversationId: id }: WireRequest,
): Promise<string | undefined> {
  if (agent !== undefined || id === undefined) return agent
  const conversation = await storage.conversations.load(identity.id, id)
  return conversation?.agent ?? (await catalog.find(identity, undefined)).name
}

/**
 * Returns headers that list the tools of the host whose place tools of the client take, and the tools of the client that
 * the catalog of the agent leaves out.
 */
export async function toolHeaders(
  c: RouteContext,
  services: Services,
  request: WireRequest,
): Promise<{ readonly [name: string]: string }> {
  const { agent, tools } = request
  if (tools.length === 0) return {}
  const { plan } = await services.catalog.find(c.get('identity'), agent)
  const withheld = withheldFrom(request, plan)
  return {
    ...headerOf('x-braidwork-replaced-tools', await replacedTools(c, services, { request, plan })),
    ...headerOf('x-braidwork-withheld-tools', withheld),
  }
}

/** The tools of a client that the catalog of an agent leaves out, by name. */
export function withheldFrom(
  { tools }: Pick<WireRequest, 'tools'>,
  { withholds }: AgentPlan,
): readonly string[] {
  const names = tools.map(({ name }) => name)
  return names.filter((name) => withholds?.({ name, ownName: name }) !== undefined)
}

interface Planned {
  readonly request: WireRequest
  readonly plan: AgentPlan
}

async function replacedTools(
  c: RouteContext,
  services: Services,
  planned: Planned,
): Promise<readonly string[]> {
  const own = new Set(planned.request.tools.map(({ name }) => name))
  const offered = await hostToolsFor(c.get('identity'), services, planned)
  return offered.filter((name) => own.has(name))
}

/** The tools of the host that are offered for a request, by name. */
async function hostToolsFor(
  identity: Identity,
  { host, quotas }: Pick<Services, 'host' | 'quotas'>,
  { request: { hostTools }, plan }: Planned,
): Promise<readonly string[]> {
  if (hostTools === 'none' || identity.host_tools === 'none') return []
  if (!host.plugins.some(({ kind }) => kind === 'tool')) return []
  const offered = await offeredTools(ownStorage(host, identity, quotas), plan)
  return offered.map(({ name }) => name)
}

/**
 * Whether the answer to a request has the texts of its last step alone. A text beside calls of the host, or before
 * another try of a feature, would make an answer in a format unreadable. A stream waits only for calls: it shows a text
 * before it is known that there is another try.
 */
export async function holdsTextOf(
  identity: Identity,
  services: Pick<Services, 'host' | 'quotas'>,
  planned: Planned,
): Promise<boolean> {
  const { type = 'text' } = planned.request.settings.response_format ?? {}
  if (type === 'text') return false
  return (
    !planned.request.isStreaming || (await hostToolsFor(identity, services, planned)).length > 0
  )
}

function headerOf(header: string, names: readonly string[]): { readonly [name: string]: string } {
  if (names.length === 0) return {}
  return {
    [header]: names
      .join(', ')
      .replaceAll(/[^ -~]/g, '?')
      .slice(0, 1000),
  }
}
