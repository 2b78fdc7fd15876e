import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { inTurn } from '../../../features/memory/turns.ts'
import { heldBytes } from '../../helpers/garbage.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('turns of the work on facts', () => {
  it('come one after another within a conversation, also after one that failed', async () => {
    const order: string[] = []
    const slow = inTurn('a', async () => {
      await Promise.resolve()
      order.push('slow')
      throw new Error('no')
    })
    const next = inTurn('a', async () => order.push('next'))
    const other = inTurn('b', async () => order.push('other'))
    expect(await errorOf(slow)).to.include({ message: 'no' })
    await Promise.all([next, other])
    expect(order).to.deep.equal(['other', 'slow', 'next'])
  })

  it('leave nothing behind of conversations that are over', async () => {
    const before = await heldBytes()
    for (let at = 0; at < 1000; at++) {
      await inTurn(randomBytes(10_000).toString('hex'), async () => at)
    }
    expect((await heldBytes()) - before).to.be.below(5_000_000)
  })
})
