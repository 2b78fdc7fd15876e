import { HostError } from '@braidwork/plugin'
import type { RouteContext, Services } from '../../context.ts'
import { originOf } from '../../guards.ts'
import type { ServerOptions } from '../../options/index.ts'
import { agentCard } from '../../wire/a2a/index.ts'

export const A2A_CARD_PATH = '/.well-known/agent-card.json'

/**
 * Responds with the card of an agent, or of the first that the caller may use.
 * @throws {HostError} MODEL_UNPUBLISHED
 */
export async function respondCard(
  c: RouteContext,
  { catalog }: Services,
  { basePath = '', trustsProxy = false, ...options }: ServerOptions,
): Promise<Response> {
  const agents = await catalog.listFor(c.get('identity'))
  const name = c.req.param('agent')
  const agent = name === undefined ? agents[0] : agents.find((one) => one.name === name)
  if (!agent) {
    throw new HostError('MODEL_UNPUBLISHED', 'The server publishes no such agent for this caller.')
  }
  const path = `${basePath}/a2a/${encodeURIComponent(agent.name)}`
  const url = `${originOf(c.req.raw, trustsProxy)}${path}`
  const isSecured = options.authenticate !== undefined || options.storedTokens === true
  const hasNotifications = options.pushNotifications !== undefined
  return c.json(agentCard(agent, { url, isSecured, hasNotifications }), 200, {
    'cache-control': 'private, max-age=60',
  })
}
