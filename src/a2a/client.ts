import type { AgentCard } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import type { Resolve } from '@braidwork/request-guard'
import { readCard } from './card.ts'
import type { A2aEndpoint } from './endpoint.ts'
import { type GuardedFetch, guardedFetch } from './guarded-fetch.ts'

/** The `fetch` by which an endpoint is asked. */
export function fetchFor(
  { base, token, allowPrivate }: A2aEndpoint,
  resolve: Resolve | undefined,
): GuardedFetch {
  return guardedFetch({ base, token, allowPrivate, ...(resolve ? { resolve } : {}) })
}

/** A client of an agent. */
export interface AgentClient {
  readonly client: Client
  /** Whether the agent has streams. Without, its answer may be a task that is not over yet. */
  readonly streams: boolean
}

/**
 * Reads the card of an endpoint, and makes a client for the interface that fits best.
 * @throws {HostError} REMOTE_AGENT_FAILED, TIMEOUT
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
  const { capabilities } = card as { readonly capabilities?: { readonly streaming?: unknown } }
  return { client, streams: capabilities?.streaming === true }
}
