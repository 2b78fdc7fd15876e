import { expect } from 'chai'
import { whileWaiting } from '../../../src/cli/plugins/while-waiting.ts'
import { errorOf } from '../../helpers/plugins.ts'

describe('what waits for long', () => {
  it('is noted again and again, until it goes on', async () => {
    let notes = 0
    const result = await whileWaiting(
      () => {
        notes += 1
      },
      async (end) => {
        while (notes < 2) await new Promise((resolve) => setImmediate(resolve))
        end()
        return 'done'
      },
      1,
    )
    expect(result).to.equal('done')
    expect(notes).to.equal(2)
  })

  it('is noted no more where it fails', async () => {
    const failing = whileWaiting(
      () => expect.fail('it is over'),
      () => Promise.reject(new Error('gone')),
      1,
    )
    expect(await errorOf(failing)).to.have.property('message', 'gone')
  })
})
