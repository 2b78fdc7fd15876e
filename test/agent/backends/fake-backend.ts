import type {
  AgentBackend,
  AgentEndpoint,
  BackendCapabilities,
  BackendFactory,
  RemoteOrder,
} from '../../../src/agent/index.ts'
import { HostError, type Message, type PartialEvent } from '../../../src/plugin/index.ts'

const ALL: BackendCapabilities = {
  cancel: true,
  answers: true,
  clientTools: true,
  rereads: true,
  transcript: true,
}

export interface Fake {
  readonly capabilities?: Partial<BackendCapabilities>
  /** What the agent answers. The default repeats the last message. */
  readonly ask?: AgentBackend['ask']
  /** The names that sources have, by their addresses. */
  readonly names?: { readonly [address: string]: string }
}

/** A backend in memory, and what it was asked. */
export class FakeBackend implements BackendFactory {
  readonly name = 'a2a'
  readonly orders: RemoteOrder[] = []
  /** The histories that ended with a question which nobody answers. */
  readonly abandoned: (readonly Message[])[] = []
  readonly created: AgentEndpoint[] = []
  readonly #fake: Fake

  constructor(fake: Fake = {}) {
    this.#fake = fake
  }

  create(endpoint: AgentEndpoint): AgentBackend {
    if (endpoint.options?.['bad'] !== undefined) {
      const facts = { pointer: '/options/bad' }
      throw new HostError('INVALID_REMOTE_ENDPOINT_CONFIG', '"bad" is no option.', facts)
    }
    this.created.push(endpoint)
    const { capabilities, ask = echo } = this.#fake
    return {
      capabilities: { ...ALL, ...capabilities },
      ask: (order) => {
        this.orders.push(order)
        return ask(order)
      },
      abandon: async ({ messages }) => {
        this.abandoned.push(messages)
      },
    }
  }

  async discover({ base_url: address }: AgentEndpoint) {
    const name = this.#fake.names?.[address]
    if (name !== undefined) return { name, description: `At ${address}` }
    throw new HostError('REMOTE_AGENT_FAILED', `"${address}" does not answer.`)
  }
}

async function* echo({ messages }: RemoteOrder): AsyncIterable<readonly PartialEvent[]> {
  const parts = messages.at(-1)?.parts ?? []
  yield said(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))
}

/** The events of a text. */
export function said(text: string): readonly PartialEvent[] {
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
  ]
}

export const ENDPOINT = { backend: 'a2a', base_url: 'https://far.test/agent' } as const
