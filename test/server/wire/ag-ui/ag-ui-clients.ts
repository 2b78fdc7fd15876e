import { askScript } from '../../../helpers/peer-scripts.ts'

/** What the client made of a thread. */
export interface ThreadSeen {
  readonly name: string
  readonly messages: readonly ClientMessage[]
  readonly outcomes: readonly { readonly [field: string]: unknown }[]
  readonly errors: readonly { readonly [field: string]: unknown }[]
  readonly custom: readonly { readonly name: string; readonly value: unknown }[]
  /** What each run told of subagents, sorted. */
  readonly subagents: readonly (readonly string[])[]
  /** Events that the protocol's own schema refuses. */
  readonly faults: readonly string[]
  /** What the client stripped, or found odd. */
  readonly warnings: readonly string[]
}

export interface ClientMessage {
  readonly id: string
  readonly role: string
  readonly content?: string
  readonly encryptedValue?: string
  readonly toolCallId?: string
  readonly toolCalls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

export interface ThreadJob {
  readonly name: string
  readonly url: string
  readonly threadId: string
  /** What each run adds to the messages, and what it is asked with. */
  readonly runs: readonly { readonly add?: readonly object[]; readonly [field: string]: unknown }[]
}

/** Lets the published client do jobs. */
export async function askClient(
  jobs: readonly ThreadJob[],
): Promise<ReadonlyMap<string, ThreadSeen>> {
  const seen = (await askScript('ag-ui-client.mjs', jobs)) as readonly ThreadSeen[]
  return new Map(seen.map((one) => [one.name, one]))
}
