import { expect } from 'chai'
import type { RunPlace } from '../../../src/agent/storage/index.ts'
import { events, OWNER, type Stored, TALK } from '../stored.ts'

const place = (rootRunId: string, depth = 1): RunPlace => ({
  parentRunId: rootRunId,
  parentCallId: 'call_1',
  rootRunId,
  depth,
  lane: depth === 1 ? 'subagent' : 'nested',
  agent: 'researcher',
  above: ['leader'],
})

/** Runs with parents. */
export function runTreesSuite(stored: Stored): void {
  describe('trees of runs', () => {
    beforeEach(async () => {
      await stored.create()
      await stored.start('root')
    })

    const child = (id: string, more: object = {}) =>
      stored.start(id, { conversationId: undefined, place: place('root'), ...more })

    const tree = async (id = 'root', owner = OWNER) =>
      (await stored.storage.runs.tree(owner, id)).map((run) => run.id)

    it('AL-04 link each child to its parent, and list it below its root', async () => {
      const { outcome, run } = await child('c')
      expect(outcome).to.equal('started')
      expect(run.place).to.deep.equal(place('root'))
      expect(await stored.storage.runs.load(OWNER, 'c')).to.deep.include({
        id: 'c',
        place: run.place,
      })
      expect(await tree()).to.deep.equal(['c', 'root'])
    })

    it('AL-08 are listed in order of their ids', async () => {
      for (const id of ['b', 'z', 'A', 'ä', 'a']) await child(id)
      expect(await tree()).to.deep.equal(['A', 'a', 'b', 'root', 'z', 'ä'])
    })

    it('leave the conversation to its root', async () => {
      await child('c')
      expect(await stored.storage.runs.open(OWNER, TALK)).to.include({ id: 'root' })
      expect(await stored.storage.runs.list(OWNER, TALK)).to.have.length(1)
    })

    it('are their owner’s, and begin at a root', async () => {
      await child('c')
      expect(await tree('root', 'bob')).to.deep.equal([])
      expect(await tree('c')).to.deep.equal([])
      expect(await tree('none')).to.deep.equal([])
    })

    it('are deleted with their root, and so is what they are charged for', async () => {
      const { runs, usage } = stored.storage
      const before = await usage(OWNER)
      await child('c')
      await child('d', { place: place('root', 2) })
      await runs.append('h', [{ runId: 'd', events: events('d', 0, 3) }])
      expect(await runs.delete(OWNER, 'root')).to.equal(true)
      for (const id of ['root', 'c', 'd']) expect(await runs.load(OWNER, id)).to.equal(undefined)
      expect(await runs.events(OWNER, 'd')).to.deep.equal([])
      expect((await usage(OWNER)).bytes).to.be.below(before.bytes)
    })

    it('are deleted with the conversation of their root', async () => {
      await child('c')
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.runs.load(OWNER, 'c')).to.equal(undefined)
      expect(await stored.storage.usage(OWNER)).to.include({ bytes: 0, conversations: 0 })
    })

    it('lose one run alone where it is no root', async () => {
      await child('c')
      expect(await stored.storage.runs.delete(OWNER, 'c')).to.equal(true)
      expect(await tree()).to.deep.equal(['root'])
    })

    const suspend = (runId: string) => stored.suspend(runId, [])
    const statusOf = async (id: string) => (await stored.storage.runs.load(OWNER, id))?.status

    it('AL-24 end what waits below a root that is over', async () => {
      await child('c')
      await suspend('c')
      const end = { runId: 'root', holder: 'h', status: 'done', events: [], entries: [] } as const
      await stored.storage.runs.end(end, 30)
      expect(await statusOf('c')).to.equal('aborted')
    })

    it('AL-24 end what waits below a root that a newer run of its conversation ends', async () => {
      await child('c')
      await suspend('c')
      await suspend('root')
      expect(await statusOf('c')).to.equal('suspended')
      await stored.start('next')
      expect([await statusOf('root'), await statusOf('c')]).to.deep.equal(['aborted', 'aborted'])
    })

    it('are kept by an export', async () => {
      await child('c')
      const records = []
      for await (const record of stored.storage.exportRecords()) records.push(record)
      const runs = records.flatMap((record) => (record.type === 'run' ? [record.run] : []))
      expect(runs.find(({ id }) => id === 'c')?.place).to.deep.equal(place('root'))
    })
  })
}
