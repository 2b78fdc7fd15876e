import { expect } from 'chai'
import { conversationKey, ownerKey } from '../../../src/agent/storage/index.ts'
import { callerKey } from '../../../src/core/storage.ts'
import { OWNER, type Stored } from '../stored.ts'

const NOTHING = {
  conversations: 0,
  runs: 0,
  files: 0,
  values: 0,
  settings: 0,
  agents: 0,
  documents: 0,
  tokens: 0,
}
/** Ids that look alike to a careless search. */
const OTHERS = [`${OWNER}a`, `${OWNER}/talk`, `${OWNER}%`, `👩‍🚀${OWNER}`]

/** Stored once for all. */
const FILE = { mediaType: 'text/plain', bytes: new TextEncoder().encode('shared by all') }

/** All that is stored of one owner. */
export function ownersSuite(stored: Stored): void {
  /** Stores something of each kind. */
  async function fill(owner: string): Promise<void> {
    const { storage } = stored
    const { conversations, files, settings, agents, documents, tokens, runs } = storage
    for (const id of ['talk', 'other']) await stored.create(id, owner)
    await conversations.create(
      { id: 'short', owner, agent: 'a', sender: 's', expiresAt: 99_999_999_999_999 },
      1,
    )
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] } as const
    const entry = { id: 'm', kind: 'message', message } as const
    await conversations.append(owner, 'talk', { entries: [entry] }, 2)
    for (const [id, conversationId] of [
      [`of talk of ${owner}`, 'talk'],
      [`alone of ${owner}`, undefined],
    ]) {
      const run = {
        id: String(id),
        owner,
        order: {},
        ...(conversationId ? { conversationId } : {}),
      }
      await runs.start(run, stored.lease(), { entries: [] }, 10)
    }
    await files.put(owner, FILE, 'talk')
    await files.put(owner, FILE)
    for (const key of [
      ownerKey(owner),
      callerKey(owner),
      conversationKey(owner, 'talk'),
      conversationKey(owner, 'never stored'),
    ]) {
      await storage.storageOf('memory', key).set('fact', owner)
    }
    await settings.save(owner, { temperature: 1 }, 1)
    await agents.upsert({ id: 'agent', owner, name: 'agent', spec: {}, updatedAt: 1 })
    await documents.save({ kind: 'costs', owner, name: 'costs', content: [1], updatedAt: 1 })
    const hash = Buffer.from(owner).toString('hex')
    const identity = { id: owner, role: 'user' }
    await tokens.create({ id: `tok ${owner}`, hash, prefix: 'bw_', identity, createdAt: 1 })
  }

  const ALL = {
    conversations: 3,
    runs: 2,
    files: 1,
    values: 4,
    settings: 1,
    agents: 1,
    documents: 1,
    tokens: 1,
  }

  async function recordsOf(owner: string): Promise<number> {
    let count = 0
    for await (const _ of stored.storage.exportRecords(owner)) count++
    return count
  }

  describe('knows all that is of one owner', () => {
    it('counts it by kind', async () => {
      expect(await stored.storage.owners.count(OWNER)).to.deep.equal(NOTHING)
      await fill(OWNER)
      expect(await stored.storage.owners.count(OWNER)).to.deep.equal(ALL)
    })

    it('and deletes it, and nothing of others', async () => {
      const { owners, files, tokens, usage } = stored.storage
      for (const owner of [OWNER, ...OTHERS]) await fill(owner)
      const before = await Promise.all(OTHERS.map(recordsOf))
      const revision = await tokens.revision()
      await owners.forget(OWNER)
      expect(await owners.count(OWNER)).to.deep.equal(NOTHING)
      expect(await recordsOf(OWNER)).to.equal(0)
      expect(await usage(OWNER)).to.deep.equal({ bytes: 0, conversations: 0, files: 0 })
      expect(await tokens.revision()).to.be.above(revision)
      expect(await Promise.all(OTHERS.map(recordsOf))).to.deep.equal(before)
      for (const owner of OTHERS) {
        expect(await owners.count(owner), owner).to.deep.equal(ALL)
        const hash = await files.put(owner, FILE)
        expect((await files.load(owner, hash))?.bytes.byteLength).to.equal(13)
      }
      await fill(OWNER)
      expect(await owners.count(OWNER)).to.deep.equal(ALL)
    })

    it('takes runs from the processes that work on them', async () => {
      const { owners, runs } = stored.storage
      await fill(OWNER)
      const ids = [`of talk of ${OWNER}`, `alone of ${OWNER}`]
      expect(await runs.held('h', ids)).to.have.members(ids)
      await owners.forget(OWNER)
      expect(await runs.held('h', ids)).to.deep.equal([])
    })
  })
}
