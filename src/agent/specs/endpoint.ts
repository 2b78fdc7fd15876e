import type { JsonObject } from '@braidwork/plugin'

/** Where an agent runs that is not run here: its spec has an `id`, a `description` and this, and nothing else. */
export interface AgentEndpoint {
  /** The protocol, such as `a2a`. A runtime needs a backend of this name. */
  readonly backend: string
  /** The address of the agent, http or https, without a query. */
  readonly base_url: string
  /** The token that each request carries. */
  readonly auth?: { readonly type: 'bearer'; readonly token: string }
  /** Which agent is meant, if several have the address. Its meaning is the backend's. */
  readonly target?: string
  /** The longest time of a run in milliseconds. The default is 300,000. */
  readonly timeout_ms?: number
  /** What else the backend takes. */
  readonly options?: JsonObject
}

/** The longest time of a run of a remote agent in milliseconds, where its endpoint says nothing. */
export const REMOTE_TIMEOUT = 300_000

/** What takes the place of a token where a spec is shown. */
export const MASKED_TOKEN = '***'

/** The JSON Schema (2020-12) of an {@link AgentEndpoint}. */
export const ENDPOINT_SCHEMA = {
  type: 'object',
  properties: {
    backend: { type: 'string', minLength: 1 },
    base_url: { type: 'string', minLength: 1 },
    auth: {
      type: 'object',
      properties: { type: { enum: ['bearer'] }, token: { type: 'string', minLength: 1 } },
      required: ['type', 'token'],
      additionalProperties: false,
    },
    target: { type: 'string', minLength: 1 },
    timeout_ms: { type: 'integer', minimum: 1 },
    options: { type: 'object' },
  },
  required: ['backend', 'base_url'],
  additionalProperties: false,
} as const

interface EndpointFault {
  /** JSON pointer into the endpoint. */
  readonly pointer: string
  readonly message: string
}

/** What is wrong with an endpoint of a valid shape. */
export function endpointFaults({ base_url: address, auth }: AgentEndpoint): EndpointFault[] {
  const fault = addressFault(address)
  const faults = fault === undefined ? [] : [{ pointer: '/base_url', message: fault }]
  if (auth && (auth.token.trim() === '' || auth.token === MASKED_TOKEN)) {
    const message = 'a token must not be empty, and not the mask of one'
    faults.push({ pointer: '/auth/token', message })
  }
  return faults
}

function addressFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return 'the address must be an http or https URL'
  }
  if (url.username !== '' || url.password !== '') {
    return 'the address must not have a user name or a password; use "auth"'
  }
  return address.includes('?') || address.includes('#')
    ? 'the address must not have a query or a fragment'
    : undefined
}
