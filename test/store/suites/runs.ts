import { expect } from 'chai'
import { codeOf, entry, events, OWNER, type Stored, TALK } from '../stored.ts'

/** Runs, their leases and their events. */
export function runsSuite(stored: Stored): void {
  describe('runs', () => {
    beforeEach(() => stored.create())

    it('begin with their entries, and are read back', async () => {
      const started = await stored.start('r1', {}, { entries: [entry('q')] })
      expect(started.outcome).to.equal('started')
      expect(started.run).to.deep.equal({
        id: 'r1',
        owner: OWNER,
        conversationId: TALK,
        status: 'active',
        order: { x: [1] },
        startedAt: 10,
        nextSeq: 0,
        legSeq: 0,
      })
      expect(await stored.storage.runs.load(OWNER, 'r1')).to.deep.equal(started.run)
      expect(await stored.storage.runs.load('bob', 'r1')).to.equal(undefined)
      expect(await stored.storage.runs.open(OWNER, TALK)).to.deep.equal(started.run)
      expect(await stored.storage.conversations.history(OWNER, TALK)).to.have.length(1)
    })

    it('are one at a time in a conversation; what came with a refused one is not kept', async () => {
      await stored.start('r1')
      const second = await stored.start('r2', {}, { entries: [entry('q')] })
      expect(second.outcome).to.equal('busy')
      expect(second.run.id).to.equal('r1')
      expect(await stored.storage.runs.load(OWNER, 'r2')).to.equal(undefined)
      expect(await stored.storage.conversations.entries(OWNER, TALK)).to.deep.equal([])
    })

    it('are one at a time, however many begin at once', async () => {
      const all = Array.from({ length: 10 }, (_, at) => stored.start(`r${at}`))
      const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
      expect(outcomes.filter((outcome) => outcome === 'started')).to.have.length(1)
      expect(outcomes.filter((outcome) => outcome === 'busy')).to.have.length(9)
    })

    it('begin once for a key of their owner', async () => {
      await stored.start('r1', { idempotencyKey: 'k', conversationId: undefined })
      const again = await stored.start('r2', { idempotencyKey: 'k', conversationId: undefined })
      expect(again).to.deep.include({ outcome: 'repeated' })
      expect(again.run.id).to.equal('r1')
      const other = { idempotencyKey: 'k', owner: 'bob', conversationId: undefined }
      expect((await stored.start('r3', other)).outcome).to.equal('started')
      const { runs } = stored.storage
      expect(await runs.begunWith(OWNER, 'k')).to.deep.equal(await runs.load(OWNER, 'r1'))
      expect(await runs.begunWith('bob', 'k')).to.include({ id: 'r3' })
      expect(await runs.begunWith(OWNER, 'l')).to.equal(undefined)
    })

    it('begin in no conversation that is not there', async () => {
      expect(await codeOf(stored.start('r1', { conversationId: 'x' }))).to.equal(
        'CONVERSATION_UNKNOWN',
      )
      expect(await codeOf(stored.start('r1', { owner: 'bob' }))).to.equal('CONVERSATION_UNKNOWN')
    })

    it('keep their events in order, of many runs at once', async () => {
      await stored.create('other')
      await stored.start('r1')
      await stored.start('r2', { conversationId: 'other' })
      const lost = await stored.storage.runs.append('h', [
        { runId: 'r1', events: events('r1', 0, 700) },
        { runId: 'r2', events: events('r2', 0, 3) },
        { runId: 'gone', events: events('gone', 0, 1) },
      ])
      expect(lost).to.deep.equal(['gone'])
      expect(await stored.storage.runs.append('h', [{ runId: 'r1', events: events('r1', 700, 1) }]))
        .to //
        .deep.equal([])
      expect(await stored.storage.runs.events(OWNER, 'r1')).to.deep.equal(events('r1', 0, 701))
      expect(await stored.storage.runs.events(OWNER, 'r1', { after: 2, limit: 2 })).to.deep.equal(
        events('r1', 3, 2),
      )
      expect(await stored.storage.runs.events(OWNER, 'r1', { after: 5000 })).to.deep.equal([])
      expect(await stored.storage.runs.events(OWNER, 'r2')).to.deep.equal(events('r2', 0, 3))
      expect(await stored.storage.runs.lastEvent(OWNER, 'r1', 'text-delta')).to.include({
        seq: 700,
      })
      expect(await stored.storage.runs.lastEvent(OWNER, 'r1', 'finish')).to.equal(undefined)
      expect(await stored.storage.runs.events('bob', 'r1')).to.deep.equal([])
      expect(await stored.storage.runs.lastEvent('bob', 'r1', 'text-delta')).to.equal(undefined)
      expect((await stored.storage.runs.load(OWNER, 'r1'))?.nextSeq).to.equal(701)
    })

    it('take nothing from whoever does not hold them', async () => {
      await stored.start('r1')
      const batch = { runId: 'r1', events: events('r1', 0, 1) }
      expect(await stored.storage.runs.append('other', [batch])).to.deep.equal(['r1'])
      const end = {
        runId: 'r1',
        holder: 'other',
        status: 'done',
        events: [],
        entries: [],
      } as const
      expect(await stored.storage.runs.end(end, 20)).to.equal(false)
      expect(await stored.storage.runs.held('other', ['r1'])).to.deep.equal([])
      expect(await stored.storage.runs.renew(['r1'], stored.lease('other'))).to.deep.equal([])
      expect(await stored.storage.runs.held('h', ['r1', 'x'])).to.deep.equal(['r1'])
      expect(await stored.storage.runs.renew(['r1', 'x'], stored.lease('h', 2000))).to.deep.equal([
        'r1',
      ])
    })

    it('end with their last events and entries at once', async () => {
      await stored.start('r1', {}, { entries: [entry('q')] })
      const last = events('r1', 0, 2)
      const end = {
        runId: 'r1',
        holder: 'h',
        status: 'done',
        events: last,
        entries: [entry('a')],
      }
      expect(await stored.storage.runs.end(end as never, 20)).to.equal(true)
      expect(await stored.storage.runs.end(end as never, 21)).to.equal(false)
      const run = await stored.storage.runs.load(OWNER, 'r1')
      expect(run).to.deep.include({ status: 'done', endedAt: 20, nextSeq: 2 })
      expect(await stored.storage.runs.events(OWNER, 'r1')).to.deep.equal(last)
      const history = await stored.storage.conversations.history(OWNER, TALK)
      expect(history.map(({ id }) => id)).to.deep.equal(['q', 'a'])
      expect(await stored.storage.runs.open(OWNER, TALK)).to.equal(undefined)
      expect((await stored.start('r2')).outcome).to.equal('started')
    })

    it('are listed as they began, also where the clock was set back in between', async () => {
      const begin = async (id: string, now: number) => {
        const run = { id, owner: OWNER, conversationId: TALK, order: {} }
        const lease = stored.lease()
        await stored.storage.runs.start(run, lease, { entries: [] }, now)
        const end = { runId: id, holder: lease.holder, events: [], entries: [] } as const
        await stored.storage.runs.end({ ...end, status: 'done' }, now)
      }
      await begin('r9', 5000)
      await begin('r2', 3000)
      await begin('r5', 3000)
      const listed = await stored.storage.runs.list(OWNER, TALK)
      expect(listed.map(({ id }) => id)).to.deep.equal(['r5', 'r2', 'r9'])
    })

    it('of an owner are listed newest first, whatever their conversation, a page at a time', async () => {
      await stored.create('other')
      await stored.start('r1', { conversationId: undefined })
      await stored.start('r3')
      await stored.start('r2', { conversationId: 'other' })
      await stored.start('r4', { owner: 'bob', conversationId: undefined })
      const { runs } = stored.storage
      const listed = await runs.listOwned(OWNER)
      expect(listed.map(({ id }) => id)).to.deep.equal(['r3', 'r2', 'r1'])
      expect(listed[1]).to.deep.equal(await runs.load(OWNER, 'r2'))
      const [first] = await runs.listOwned(OWNER, { limit: 1 })
      const rest = await runs.listOwned(OWNER, { limit: 2, ...(first ? { before: first } : {}) })
      expect(rest.map(({ id }) => id)).to.deep.equal(['r2', 'r1'])
      expect(await runs.listOwned('carl')).to.deep.equal([])
    })

    it('wait, and go on once', async () => {
      await stored.start('r1')
      const end = { runId: 'r1', holder: 'h', status: 'suspended', entries: [] } as const
      await stored.storage.runs.end({ ...end, events: events('r1', 0, 2) }, 20)
      expect(await stored.storage.runs.open(OWNER, TALK)).to.include({
        id: 'r1',
        status: 'suspended',
      })
      expect(await stored.storage.runs.resume('bob', 'r1', stored.lease())).to.equal(undefined)
      const [one, two] = await Promise.all([
        stored.storage.runs.resume(OWNER, 'r1', stored.lease('h1')),
        stored.storage.runs.resume(OWNER, 'r1', stored.lease('h2')),
      ])
      const resumed = [one, two].filter((run) => run !== undefined)
      expect(resumed).to.have.length(1)
      expect(resumed[0]).to.include({ status: 'active', legSeq: 2, nextSeq: 2 })
    })

    it('that wait end when another begins', async () => {
      await stored.start('r1')
      const end = { runId: 'r1', holder: 'h', status: 'suspended', entries: [] } as const
      await stored.storage.runs.end({ ...end, events: [] }, 20)
      expect((await stored.start('r2')).outcome).to.equal('started')
      expect(await stored.storage.runs.load(OWNER, 'r1')).to.include({
        status: 'aborted',
        endedAt: 10,
      })
      expect(await stored.storage.runs.resume(OWNER, 'r1', stored.lease())).to.equal(undefined)
      const listed = await stored.storage.runs.list(OWNER, TALK)
      expect(listed.map(({ id }) => id)).to.deep.equal(['r2', 'r1'])
      expect(await stored.storage.runs.list('bob', TALK)).to.deep.equal([])
    })

    it('are taken over where their lease is still what it was seen to be', async () => {
      const { runs } = stored.storage
      await stored.start('r1')
      const seen = await runs.leases()
      expect(seen).to.deep.equal([{ runId: 'r1', holder: 'h', expiresAt: 1000 }])
      expect(await runs.takeOver(stored.lease('n'), [])).to.deep.equal([])
      await runs.renew(['r1'], stored.lease('h', 500))
      expect(await runs.takeOver(stored.lease('n'), seen)).to.deep.equal([])
      expect(await runs.takeOver(stored.lease('n', 3000), await runs.leases())).to.have.length(1)
      expect(await runs.held('h', ['r1'])).to.deep.equal([])
      expect(await runs.takeOver(stored.lease('m', 3000), seen)).to.deep.equal([])
      expect(await stored.storage.runs.seize('bob', 'r1', stored.lease('b'))).to.equal(undefined)
      expect(await stored.storage.runs.seize(OWNER, 'r1', stored.lease('b'))).to.include({
        id: 'r1',
      })
      expect(await stored.storage.runs.held('b', ['r1'])).to.deep.equal(['r1'])
      await stored.storage.runs.end(
        { runId: 'r1', holder: 'b', status: 'done', events: [], entries: [] },
        20,
      )
      expect(await runs.leases()).to.deep.equal([])
    })

    it('have each part’s deltas in one piece in time, and nothing else changed', async () => {
      await stored.start('r1')
      const finish = { type: 'start', requestId: 'q', runId: 'r1', seq: 2 } as const
      const end = { runId: 'r1', holder: 'h', status: 'done', entries: [] } as const
      await stored.storage.runs.end({ ...end, events: [...events('r1', 0, 2), finish] }, 20)
      expect(await stored.storage.runs.prune(20, 50)).to.equal(0)
      expect(await stored.storage.runs.prune(21, 50)).to.equal(1)
      expect(await stored.storage.runs.prune(21, 51)).to.equal(0)
      const [whole] = events('r1', 0, 1)
      const merged = [{ ...whole, delta: '0 ✓1 ✓' }, finish]
      expect(await stored.storage.runs.events(OWNER, 'r1')).to.deep.equal(merged)
      expect(await stored.storage.runs.events(OWNER, 'r1', { after: 0 })).to.deep.equal([finish])
      expect(await stored.storage.runs.load(OWNER, 'r1')).to.include({ prunedAt: 50 })
    })

    it('go with their events, alone or with their conversation', async () => {
      await stored.start('r1')
      await stored.storage.runs.append('h', [{ runId: 'r1', events: events('r1', 0, 2) }])
      expect(await stored.storage.runs.delete('bob', 'r1')).to.equal(false)
      expect(await stored.storage.runs.delete(OWNER, 'r1')).to.equal(true)
      expect(await stored.storage.runs.events(OWNER, 'r1')).to.deep.equal([])
      await stored.start('r2')
      await stored.storage.runs.append('h', [{ runId: 'r2', events: events('r2', 0, 2) }])
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.runs.load(OWNER, 'r2')).to.equal(undefined)
      expect(await stored.storage.runs.events(OWNER, 'r2')).to.deep.equal([])
    })
  })
}
