import { expect } from 'chai'
import type { Approval, Storage, StoredRecord } from '../../../src/agent/storage/index.ts'
import { conversationKey } from '../../../src/store/index.ts'
import type { Subject } from '../../helpers/doubling.ts'
import { OWNER, TALK } from '../stored.ts'
import { createTalk, entries, type Filled, RUN, startRun } from './filled.ts'

function approvals(size: number, runId = RUN): Approval[] {
  return Array.from({ length: size }, (_, at) => ({
    id: `${runId}.${at}`,
    owner: OWNER,
    runId,
    callId: `c${at}`,
    tool: 't',
    input: {},
    binding: 'b',
    requestedAt: 1,
    expiresAt: 100,
  }))
}

async function countOf(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of all) count++
  return count
}

function runs(size: number): StoredRecord[] {
  const run = {
    owner: OWNER,
    conversationId: TALK,
    status: 'done',
    order: {},
    startedAt: 1,
    nextSeq: 0,
    legSeq: 0,
  } as const
  return Array.from({ length: size }, (_, at) => ({ type: 'run', run: { ...run, id: `r${at}` } }))
}

function records(size: number): StoredRecord[] {
  const conversation = {
    id: TALK,
    owner: OWNER,
    agent: 'a',
    sender: 's',
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
  }
  const all = entries(size).map((one, seq) => ({
    type: 'entry' as const,
    owner: OWNER,
    conversationId: TALK,
    entry: { ...one, ...(seq === 0 ? {} : { parent: `e${seq - 1}` }), seq, createdAt: 1 },
  }))
  return [{ type: 'conversation', conversation }, ...all]
}

export interface Measured extends Subject {
  /** Which part of the sizes is measured, where each piece is a statement of its own. */
  readonly part?: number
}

/** What callers read of a long conversation. */
export function readings(filled: Filled): readonly Measured[] {
  return [
    {
      name: 'the history of a conversation',
      make: async (size) => {
        const { conversations } = await filled.talk(size)
        return async () => {
          expect(await conversations.history(OWNER, TALK)).to.have.length(size)
        }
      },
    },
    {
      name: 'all entries of a conversation',
      make: async (size) => {
        const { conversations } = await filled.talk(size)
        return async () => {
          expect(await conversations.entries(OWNER, TALK)).to.have.length(size)
        }
      },
    },
    {
      name: 'a search for the first message of a conversation',
      make: async (size) => {
        const { conversations } = await filled.talk(size)
        const searched = [{ id: TALK, head: `e${size - 1}` }]
        return async () =>
          expect(await countOf(conversations.search(OWNER, searched, ['e0']))).to.equal(1)
      },
    },
    {
      name: 'an export',
      make: async (size) => {
        const storage = await filled.talk(size)
        return async () => expect(await countOf(storage.exportRecords())).to.equal(size + 1)
      },
    },
  ]
}

/** What callers make a storage do with much of one kind. */
export function subjects(filled: Filled): readonly Measured[] {
  return [
    {
      name: 'the events of a run',
      make: async (size) => {
        const { runs } = await filled.run(size)
        return async () => expect(await lastRead(runs)).to.equal(size - 1)
      },
    },
    {
      name: 'an append to a conversation, and its deletion',
      part: 4,
      make: async (size) => {
        const storage = await filled.open()
        const all = entries(size)
        return async () => {
          const id = filled.name()
          await createTalk(storage, id)
          await storage.conversations.append(OWNER, id, { entries: all }, 2)
          await storage.conversations.delete(OWNER, id)
        }
      },
    },
    {
      name: 'an import',
      part: 16,
      make: (size) => {
        const all = records(size)
        return async () => {
          const storage = await filled.open()
          expect(await storage.importRecords(all)).to.equal(size + 1)
          await filled.shut(storage)
        }
      },
    },
    {
      name: 'the pruning of a run',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        return async () => {
          await filled.run(size, storage, filled.name())
          expect(await storage.runs.prune(100, 100)).to.equal(1)
        }
      },
    },
    {
      name: 'the approvals of a run',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        return async () => {
          const id = filled.name()
          await startRun(storage, id)
          const end = {
            runId: id,
            holder: 'h',
            status: 'suspended',
            events: [],
            entries: [],
          } as const
          await storage.runs.end({ ...end, approvals: approvals(size, id) }, 20)
          expect(await storage.approvals.list(OWNER, id)).to.have.length(size)
          await storage.runs.delete(OWNER, id)
        }
      },
    },
    {
      name: 'the runs of a conversation',
      part: 16,
      make: async (size) => {
        const storage = await filled.open()
        await createTalk(storage)
        await storage.importRecords(runs(size))
        return async () => expect(await storage.runs.list(OWNER, TALK)).to.have.length(size)
      },
    },
    {
      name: 'what many callers keep',
      part: 64,
      make: (size) => async () => {
        const storage = await filled.open()
        for (let at = 0; at < size / 2; at++) await keep(storage, `o${at % 10}`, at, filled.name())
        await filled.shut(storage)
      },
    },
  ]
}

async function lastRead(runs: Storage['runs']): Promise<number> {
  for (let after = -1; ; ) {
    const page = await runs.events(OWNER, RUN, { after })
    if (page.length === 0) return after
    after = page.at(-1)?.seq ?? after
  }
}

/** Something of each kind, and half of it gone again. */
async function keep(storage: Storage, owner: string, at: number, id: string): Promise<void> {
  await storage.conversations.create({ id, owner, agent: 'a', sender: 's' }, at)
  const bytes = Uint8Array.from([at, at >> 8])
  await storage.files.put(owner, { mediaType: 'a/b', bytes }, id)
  await storage.storageOf('memory', conversationKey(owner, id)).set('k', at)
  await startRun(storage, id, { owner, conversationId: id, idempotencyKey: id })
  if (at % 2 === 0) await storage.conversations.delete(owner, id)
}
