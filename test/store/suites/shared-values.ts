import { expect } from 'chai'
import type { SharedValue } from '../../../src/agent/storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { OWNER, outcomeOf, type Stored, TALK } from '../stored.ts'

const KIB = 1 << 10

/** The contexts that the members of teams share. */
export function sharedValuesSuite(stored: Stored): void {
  describe('shared contexts of teams', () => {
    beforeEach(async () => {
      await stored.create()
      await stored.start('r')
    })

    const write = (key: string, value: unknown, version = 0, agent = 'a') =>
      stored.storage.shared.write(OWNER, 'r', { key, value, version, agent })
    const all = () => stored.storage.shared.list(OWNER, 'r')
    const bytes = async () => (await stored.storage.usage(OWNER)).bytes

    it('AL-25 have what was written, with its version and its writer', async () => {
      const value = { text: 'west ✓', list: [1, null] }
      expect(await write('plan', value)).to.deep.equal({
        key: 'plan',
        value,
        version: 1,
        agent: 'a',
      })
      const second = { key: 'plan', value: 'east', version: 2, agent: 'b' }
      expect(await write('plan', 'east', 1, 'b')).to.deep.equal(second)
      expect(await stored.storage.shared.load(OWNER, 'r', 'plan')).to.deep.equal(second)
      expect(await stored.storage.shared.load(OWNER, 'r', 'other')).to.equal(undefined)
    })

    it('AL-25 are listed in order of their keys', async () => {
      for (const key of ['b', 'Z', 'a', 'ä', '']) await write(key, key)
      expect((await all()).map(({ key }) => key)).to.deep.equal(['', 'Z', 'a', 'b', 'ä'])
    })

    it('AL-25 refuse a stale write, and tell the present version', async () => {
      await write('plan', 1)
      await write('plan', 2, 1)
      for (const version of [0, 1, 3]) {
        const error = await errorOf(write('plan', 'lost', version))
        expect(error).to.include({ code: 'SHARED_STALE', version: 2 })
        expect(error.toJSON()).to.include({ version: 2 })
        expect(error.message).to.include(`is for version ${version}, but the key is at version 2`)
      }
      expect(await errorOf(write('none', 'x', 1))).to.include({ code: 'SHARED_STALE', version: 0 })
      expect((await all()).map(({ value }) => value)).to.deep.equal([2])
    })

    it('AL-25 let one of many writers at once win each version', async () => {
      const writers = Array.from({ length: 8 }, (_, at) => at)
      for (const version of [0, 1, 2]) {
        const ends = await Promise.all(
          writers.map((at) => outcomeOf(write('plan', `${version}/${at}`, version, `w${at}`))),
        )
        const won = ends.filter((end): end is SharedValue => typeof end !== 'string')
        expect(won.map((end) => end.version)).to.deep.equal([version + 1])
        expect(ends.filter((end) => end === 'SHARED_STALE')).to.have.length(7)
        expect(await all()).to.deep.equal(won)
      }
    })

    it('AL-25 keep all that writers of other keys write at once', async () => {
      const keys = Array.from({ length: 8 }, (_, at) => `k${at}`)
      await Promise.all(keys.map((key) => write(key, key)))
      expect((await all()).map(({ key }) => key)).to.deep.equal(keys)
    })

    it('AL-25 refuse 10 MB, also of two writers at once', async () => {
      const large = 'x'.repeat(10_000_000)
      const ends = await Promise.all([outcomeOf(write('a', large)), outcomeOf(write('a', large))])
      expect(ends).to.deep.equal(['SHARED_TOO_LARGE', 'SHARED_TOO_LARGE'])
      expect(await all()).to.deep.equal([])
    })

    it('AL-25 have at most a mebibyte, whoever writes at once', async () => {
      const value = 'x'.repeat(60 * KIB)
      const keys = Array.from({ length: 20 }, (_, at) => `k${at}`)
      const ends = await Promise.all(keys.map((key) => outcomeOf(write(key, value))))
      const refused = ends.filter((end) => end === 'SHARED_TOO_LARGE')
      expect(refused).to.have.length(3)
      const kept = await all()
      expect(kept).to.have.length(17)
      // A value that takes the place of another needs no more room.
      const [{ key } = { key: '' }] = kept
      expect(await write(key, 'y'.repeat(60 * KIB), 1)).to.include({ version: 2 })
      expect((await errorOf(write(`${key} again`, value))).code).to.equal('SHARED_TOO_LARGE')
    })

    it('have keys of at most 200 characters', async () => {
      expect(await write('k'.repeat(200), 1)).to.include({ version: 1 })
      const { code, pointer } = await errorOf(write('k'.repeat(201), 1))
      expect({ code, pointer }).to.deep.equal({ code: 'REQUEST_INVALID', pointer: '/key' })
    })

    it('are their owner’s', async () => {
      const { shared } = stored.storage
      await write('plan', 1)
      expect(await shared.list('bob', 'r')).to.deep.equal([])
      expect(await shared.load('bob', 'r', 'plan')).to.equal(undefined)
      const one = { key: 'plan', value: 2, version: 1, agent: 'a' }
      expect((await errorOf(shared.write('bob', 'r', one))).code).to.equal('RUN_UNKNOWN')
      expect((await errorOf(shared.write(OWNER, 'none', one))).code).to.equal('RUN_UNKNOWN')
      expect((await all()).map(({ value }) => value)).to.deep.equal([1])
    })

    it('count for their owner, and go with their run', async () => {
      const before = await bytes()
      await write('plan', 'x'.repeat(1000))
      expect(await bytes()).to.equal(before + 4 + 1002)
      await write('plan', 'x'.repeat(10), 1)
      expect(await bytes()).to.equal(before + 4 + 12)
      await stored.storage.runs.delete(OWNER, 'r')
      expect(await all()).to.deep.equal([])
      await stored.start('r')
      expect(await all()).to.deep.equal([])
      expect(await bytes()).to.equal(before)
      await write('plan', 1)
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await bytes()).to.equal(0)
    })

    it('are kept by an export, and counted by an import', async () => {
      await write('plan', { to: 'west' })
      await write('plan', { to: 'east' }, 1)
      const records = []
      for await (const record of stored.storage.exportRecords(OWNER)) records.push(record)
      const other = await openStorage(stored.newPlace())
      expect(await other.importRecords(records)).to.equal(records.length)
      expect(await other.importRecords(records)).to.equal(0)
      expect(await other.shared.list(OWNER, 'r')).to.deep.equal(await all())
      expect(await other.usage(OWNER)).to.deep.equal(await stored.storage.usage(OWNER))
      await other.runs.delete(OWNER, 'r')
      await stored.storage.runs.delete(OWNER, 'r')
      expect(await other.usage(OWNER)).to.deep.equal(await stored.storage.usage(OWNER))
      await other.close()
    })
  })
}
