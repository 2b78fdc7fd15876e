import type { Host } from '@braidwork/core'
import { didYouMean } from '@braidwork/core/internal'
import { type Diagnostic, pointerOf } from '@braidwork/plugin'
import { modelsOf } from '../identity.ts'
import { publishedNames } from '../published.ts'
import type { ServerConfig } from './server-config.ts'

/** The fault of a name in `mcp_tools` that is not among those that the server publishes. */
export function unpublishedTools(name: string, published: readonly string[]): string {
  return `"mcpTools" ("server.mcp_tools" of a config) names "${name}", which the server does not publish; it publishes ${published.join(', ') || 'none'}.`
}

/**
 * Finds an agent in `mcp_tools` that the server does not publish.
 * @param agents as for {@link tokenFaults}
 */
export async function mcpToolsFaults(
  host: Host,
  { mcp_tools: name, models }: ServerConfig,
  agents: readonly string[],
): Promise<readonly Diagnostic[]> {
  if (name === undefined) return []
  const known = [...(await publishedNames(host, models)), ...agents]
  if (known.includes(name)) return []
  const message = unpublishedTools(name, known)
  return [{ code: 'OPTION_INVALID', level: 'error', pointer: '/server/mcp_tools', message }]
}

/**
 * Finds the models of tokens that the server does not publish.
 * @param agents the ids of the agents that it publishes beside its models
 * @throws {HostError} the errors of resolving the host's config, if the server publishes the models of its provider
 */
export async function tokenFaults(
  host: Host,
  { tokens = [], models }: ServerConfig,
  agents: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  if (!tokens.some((token) => token.models)) return []
  const known = [...(await publishedNames(host, models)), ...agents]
  return tokens.flatMap((token, index) =>
    (modelsOf(token) ?? []).flatMap((name, at) => {
      if (known.includes(name)) return []
      const place = Array.isArray(token.models) ? at : name
      const pointer = pointerOf(['server', 'tokens', index, 'models', place])
      const message = `The token of "${token.id}" names the model "${name}", which the server does not publish.`
      const advice = didYouMean(name, known) || ` It publishes ${known.join(', ') || 'none'}.`
      return {
        code: 'MODEL_UNPUBLISHED',
        level: 'error',
        pointer,
        message: message + advice,
      } as const
    }),
  )
}
