import { expect } from 'chai'
import { hashOf } from '../../../src/agent/storage/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { HAS_ALL_CASES } from '../../helpers/cases.ts'
import { OWNER, type Stored, TALK } from '../stored.ts'

/** How often what depends on the moment is tried. */
const TIMES = HAS_ALL_CASES ? 5 : 2

/** Files by the hash of their bytes. */
export function filesSuite(stored: Stored): void {
  describe('files', () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 256)

    it('are kept once under the hash of their bytes', async () => {
      await stored.create()
      const file = { mediaType: 'image/png', name: 'a.png', bytes }
      const hash = await stored.storage.files.put(OWNER, file, TALK)
      expect(hash).to.match(/^[0-9a-f]{64}$/)
      expect(await stored.storage.files.put(OWNER, file, TALK)).to.equal(hash)
      expect(await stored.storage.files.load(OWNER, hash)).to.deep.equal({ ...file, hash })
      expect(await stored.storage.files.load('bob', hash)).to.equal(undefined)
      expect(await stored.storage.files.put('bob', { mediaType: 'a/b', bytes })).to.equal(hash)
      expect(await stored.storage.files.delete(OWNER, hash)).to.equal(true)
      expect(await stored.storage.files.delete(OWNER, hash)).to.equal(false)
      expect((await stored.storage.files.load('bob', hash))?.bytes).to.deep.equal(bytes)
    })

    it('are whole however large, also in a storage that took them over', async () => {
      await stored.create()
      for (const size of [0, 65_535, 65_536, 65_537, 3_000_000]) {
        const large = new Uint8Array(size)
        for (let at = 0; at < size; at++) large[at] = at + (at >> 16)
        const hash = await stored.storage.files.put(OWNER, { mediaType: 'a/b', bytes: large }, TALK)
        const other = await openStorage(stored.newPlace())
        await other.importRecords(stored.storage.exportRecords())
        for (const storage of [stored.storage, other]) {
          const kept = (await storage.files.load(OWNER, hash))?.bytes ?? expect.fail('it is gone')
          expect(Buffer.compare(kept, large), `${size} bytes`).to.equal(0)
        }
        await other.close()
      }
      await stored.storage.conversations.delete(OWNER, TALK)
    })

    it('are whole or gone where they are deleted while they are read', async () => {
      await stored.create()
      const { files } = stored.storage
      const file = { mediaType: 'a/b', bytes: new Uint8Array(5_000_000) }
      for (let time = 0; time < TIMES; time++) {
        const hash = await files.put(OWNER, file, TALK)
        const [read] = await Promise.all([files.load(OWNER, hash), files.delete(OWNER, hash)])
        expect(read?.bytes.length ?? file.bytes.length).to.equal(file.bytes.length)
        expect(await files.load(OWNER, hash)).to.equal(undefined)
      }
    })

    it('are stored, shared and deleted at once by several, and none is in the way of another', async () => {
      await stored.create('from')
      await stored.create('to')
      const { files, conversations } = stored.storage
      const all = [bytes, bytes.subarray(1), bytes.subarray(2)].map((own) => {
        return { mediaType: 'a/b', bytes: own }
      })
      for (let time = 0; time < 20; time++) {
        await stored.create(`from ${time}`)
        for (const file of all) await files.put(OWNER, file, `from ${time}`)
        const acts = all.flatMap((file) => [
          files.put('bob', file),
          files.delete('bob', hashOf(file.bytes)),
          files.put(OWNER, file, 'from'),
          files.delete(OWNER, hashOf(file.bytes)),
        ])
        const share = files.share(OWNER, `from ${time}`, 'to')
        await Promise.all([...acts, share, conversations.delete(OWNER, `from ${time}`)])
      }
      for (const owner of [OWNER, 'bob']) {
        for (const file of all) await files.delete(owner, hashOf(file.bytes))
        expect(await stored.storage.usage(owner)).to.include({ files: 0 })
      }
    })

    it('LT-09 are those of one conversation where it is named', async () => {
      await stored.create()
      await stored.create('other')
      const { files, conversations } = stored.storage
      const hash = await files.put(OWNER, { mediaType: 'text/plain', bytes }, TALK)
      expect(await files.load(OWNER, hash, TALK)).to.deep.include({
        mediaType: 'text/plain',
        bytes,
      })
      expect(await files.load(OWNER, hash, 'other')).to.equal(undefined)
      expect(await files.load('bob', hash, TALK)).to.equal(undefined)
      const has = [[OWNER, TALK], [OWNER, 'other'], ['bob', TALK], [OWNER], ['bob']] as const
      const had = has.map(([owner, id]) => files.has(owner, hash, id))
      expect(await Promise.all(had)).to.deep.equal([true, false, false, true, false])
      await files.share(OWNER, TALK, 'other')
      expect(await files.load(OWNER, hash, 'other')).to.not.equal(undefined)
      await conversations.delete(OWNER, TALK)
      expect(await files.load(OWNER, hash, TALK)).to.equal(undefined)
      expect(await files.load(OWNER, hash, 'other')).to.not.equal(undefined)
    })

    it('go with the last conversation that has them', async () => {
      await stored.create()
      await stored.create('other')
      const file = { mediaType: 'image/png', bytes }
      const hash = await stored.storage.files.put(OWNER, file, TALK)
      await stored.storage.files.put(OWNER, file, 'other')
      await stored.storage.conversations.delete(OWNER, TALK)
      expect(await stored.storage.files.load(OWNER, hash)).to.not.equal(undefined)
      await stored.storage.conversations.delete(OWNER, 'other')
      expect(await stored.storage.files.load(OWNER, hash)).to.equal(undefined)
    })
  })
}
