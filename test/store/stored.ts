import { expect } from 'chai'
import type {
  Approval,
  Conversation,
  Lease,
  NewEntry,
  NewRun,
  RunStart,
  Storage,
} from '../../src/agent/storage/index.ts'
import { HostError } from '../../src/plugin/errors.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { openStorage } from '../../src/store/index.ts'
import type { Backend } from './backends.ts'

export const OWNER = 'ada'
export const TALK = 'talk'

/** A storage that is tried, new for each test, and what tests put there. */
export class Stored {
  storage!: Storage
  readonly #backend: Backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Of another, empty storage of the same kind. */
  newPlace(): string {
    return this.#backend.place()
  }

  async open(): Promise<void> {
    this.storage = await openStorage(this.newPlace())
  }

  create(id = TALK, owner = OWNER, now = 1): Promise<Conversation> {
    return this.storage.conversations.create({ id, owner, agent: 'a', sender: 's' }, now)
  }

  start(
    id: string,
    more: { readonly [K in keyof NewRun]?: NewRun[K] | undefined } = {},
    append = { entries: [] as NewEntry[] },
  ): Promise<RunStart> {
    const run = { id, owner: OWNER, conversationId: TALK, order: { x: [1] }, ...more } as NewRun
    return this.storage.runs.start(run, this.lease(), append, 10)
  }

  /** Lets a run wait for approvals: they are stored with the end of its leg. */
  async suspend(runId: string, approvals: readonly Approval[]): Promise<void> {
    const end = { runId, holder: 'h', status: 'suspended', events: [], entries: [] } as const
    expect(await this.storage.runs.end({ ...end, approvals }, 20)).to.equal(true)
  }

  lease(holder = 'h', expiresAt = 1000): Lease {
    return { holder, expiresAt }
  }
}

export function entry(id: string, text = id): NewEntry {
  return {
    kind: 'message',
    id,
    message: { role: 'user', parts: [{ type: 'text', text }], metadata: { b: 1, a: [2] } },
  }
}

export function events(runId: string, from: number, count: number): RunEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'text-delta',
    id: '1',
    delta: `${from + index} ✓`,
    runId,
    seq: from + index,
  }))
}

/** The code of what an answer is refused with. */
export async function codeOf(answer: Promise<unknown>): Promise<string> {
  const thrown = await answer.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  return HostError.is(thrown) ? thrown.code : String(thrown)
}

/** An answer, or the code of what it is refused with. */
export function outcomeOf<T>(answer: Promise<T>): Promise<T | string> {
  return answer.catch((error: unknown) => (HostError.is(error) ? error.code : String(error)))
}
