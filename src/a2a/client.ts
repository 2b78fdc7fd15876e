import type { AgentCard } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { HostError, pointerOf } from '@braidwork/plugin'
import type { Resolve } from '@braidwork/request-guard'
import { readCard } from './card.ts'
import type { A2aEndpoint } from './endpoint.ts'
import { type GuardedFetch, type GuardOptions, guardedFetch } from './guarded-fetch.ts'

/** The `fetch` by which an endpoint is asked. */
export function fetchFor(
  { base, token, allowPrivate }: A2aEndpoint,
  resolve: Resolve | undefined,
  watch: Pick<GuardOptions, 'onSent' | 'onReply'> = {},
): GuardedFetch {
  const more = { ...(resolve ? { resolve } : {}), ...watch }
  return guardedFetch({ base, token, allowPrivate, ...more })
}

/** A client of an agent. */
export interface AgentClient {
  readonly client: Client
  /** Whether the agent has streams. Without, its answer may be a task that is not over yet. */
  readonly streams: boolean
}

/**
 * Reads the card of an endpoint, and makes a client for the interface that fits best.
 * @throws {HostError} REMOTE_AGENT_FAILED, TIMEOUT; INVALID_REMOTE_ENDPOINT_CONFIG if it has not the binding that is asked for
 */
export async function clientFor(
  { base, timeout, binding }: A2aEndpoint,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<AgentClient> {
  const { card } = await readCard({ base, fetch, timeout, signal })
  const sdk = await import('@a2a-js/sdk/client')
  const fetchImpl = fetch as typeof globalThis.fetch
  const options = { fetchImpl, legacyCompat: { enabled: true } }
  const factory = new sdk.ClientFactory({
    transports: [new sdk.JsonRpcTransportFactory(options), new sdk.RestTransportFactory(options)],
    cardResolver: new sdk.DefaultAgentCardResolver(options),
    ...(binding ? { preferredTransports: [binding] } : {}),
  })
  // The client reads the card of either version from its JSON.
  const client = await factory.createFromAgentCard(card as unknown as AgentCard)
  const { protocolName: found } = client.transport
  if (binding !== undefined && found !== binding) throw otherBinding(base, binding, found)
  const { capabilities } = card as { readonly capabilities?: { readonly streaming?: unknown } }
  return { client, streams: capabilities?.streaming === true }
}

function otherBinding({ host }: URL, binding: string, found: string): HostError {
  const message = `The card of the agent at "${host}" has no "${binding}". Set "binding" to "${found}", or leave it out.`
  const pointer = pointerOf(['endpoint', 'options', 'binding'])
  return new HostError('INVALID_REMOTE_ENDPOINT_CONFIG', message, { pointer })
}
