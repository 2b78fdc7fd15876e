import { memoryStorage, type Storage } from '../../../src/agent/index.ts'
import type { HostOptions } from '../../../src/core/index.ts'
import type { JsonObject } from '../../../src/plugin/index.ts'
import { issueToken } from '../../../src/server/access/index.ts'
import type { ServerOptions } from '../../../src/server/index.ts'
import { Served } from '../routes/served.ts'

/** Headers that carry a token. */
export interface Bearer {
  readonly [name: string]: string
}

/** Servers on one storage, which tokens of the storage identify callers for. */
export class Secured {
  readonly storage: Storage
  readonly #open: Served[] = []

  constructor(storage: Storage = memoryStorage()) {
    this.storage = storage
  }

  async serve(
    options: Omit<Partial<ServerOptions>, 'host'> = {},
    own: Partial<HostOptions> = {},
  ): Promise<Served> {
    const { storage } = this
    const served = await Served.start({ storage, storedTokens: true, ...options }, own)
    this.#open.push(served)
    return served
  }

  /** Issues a token as `braidwork tokens issue` does. */
  async issue(
    identity: JsonObject,
    expiresAt?: number,
  ): Promise<{ readonly id: string; readonly secret: string; readonly headers: Bearer }> {
    const { secret, token } = issueToken(identity, Date.now(), expiresAt)
    await this.storage.tokens.create(token)
    return { id: token.id, secret, headers: { authorization: `Bearer ${secret}` } }
  }

  async close(): Promise<void> {
    for (const served of this.#open.splice(0)) await served.close()
  }
}

/** A question for each protocol that starts a run. */
export function questions(model: string, text = 'hi'): readonly (readonly [string, object])[] {
  const messages = [{ role: 'user', content: text }]
  const parts = [{ type: 'text', text }]
  const chat = { agent: model, messages: [{ id: 'q', role: 'user', parts }] }
  const agUi = { threadId: 't', runId: 'r', tools: [], context: [], state: {} }
  return [
    ['/v1/chat/completions', { model, messages }],
    ['/v1/responses', { model, input: text }],
    ['/v1/messages', { model, messages, max_tokens: 99 }],
    ['/api/chat', { id: 'c', ...chat }],
    [
      '/ag-ui',
      { ...agUi, messages: [{ id: 'm', ...messages[0] }], forwardedProps: { agent: model } },
    ],
  ]
}
