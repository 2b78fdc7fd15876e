import { expect } from 'chai'
import { openStorage } from '../../../src/store/index.ts'
import type { Stored } from '../stored.ts'

const TOKEN = {
  id: 'tok_1',
  hash: 'a'.repeat(64),
  prefix: 'bw_abcd',
  identity: { id: 'ada', role: 'user', limits: { requests_per_day: 5 } },
  createdAt: 5,
}

/** The tokens that were issued at run time. */
export function tokensSuite(stored: Stored): void {
  describe('keeps tokens', () => {
    it('which it finds by their hashes, until they are revoked and after it', async () => {
      const { tokens } = stored.storage
      await tokens.create(TOKEN)
      expect(await tokens.find(TOKEN.hash)).to.deep.equal(TOKEN)
      expect(await tokens.find('b'.repeat(64))).to.equal(undefined)
      expect(await tokens.revoke('tok_1', 9)).to.equal(true)
      expect(await tokens.revoke('tok_1', 10)).to.equal(true)
      expect(await tokens.revoke('tok_2', 9)).to.equal(false)
      expect(await tokens.find(TOKEN.hash)).to.deep.equal({ ...TOKEN, revokedAt: 9 })
    })

    it('and tells with a number that one was created, revoked or deleted, and not that one was used', async () => {
      const { tokens } = stored.storage
      const seen = [await tokens.revision()]
      await tokens.create({ ...TOKEN, expiresAt: 50 })
      seen.push(await tokens.revision())
      await tokens.use(['tok_1', 'unknown'], 7)
      expect(await tokens.revision()).to.equal(seen.at(-1))
      await tokens.revoke('tok_1', 9)
      seen.push(await tokens.revision())
      await tokens.prune(10)
      seen.push(await tokens.revision())
      expect(seen).to.deep.equal([...new Set(seen)].sort((one, other) => one - other))
    })

    it('with the time of their last use, which never goes back', async () => {
      const { tokens } = stored.storage
      await tokens.create(TOKEN)
      await tokens.use(['tok_1'], 8)
      await tokens.use(['tok_1'], 7)
      expect(await tokens.list()).to.deep.equal([{ ...TOKEN, lastUsedAt: 8 }])
    })

    it('the oldest first, without those that ended before a time', async () => {
      const { tokens } = stored.storage
      const token = (id: string, more: object) => ({ ...TOKEN, id, hash: id, ...more })
      await tokens.create(token('c', { createdAt: 3 }))
      await tokens.create(token('b', { createdAt: 2, expiresAt: 20 }))
      await tokens.create(token('a', { createdAt: 1, expiresAt: 10 }))
      await tokens.create(token('d', { createdAt: 4 }))
      await tokens.revoke('d', 9)
      const ids = async () => (await tokens.list()).map(({ id }) => id)
      expect(await ids()).to.deep.equal(['a', 'b', 'c', 'd'])
      await tokens.prune(11)
      expect(await ids()).to.deep.equal(['b', 'c'])
      expect(await tokens.find('a')).to.equal(undefined)
    })

    it('of which no export has anything', async () => {
      await stored.storage.tokens.create(TOKEN)
      const other = await openStorage('memory')
      expect(await other.importRecords(stored.storage.exportRecords())).to.equal(0)
    })
  })
}
