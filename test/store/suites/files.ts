import { expect } from 'chai'
import { OWNER, type Stored, TALK } from '../stored.ts'

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
