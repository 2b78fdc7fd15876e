import { expect } from 'chai'
import { patiently } from '../../../../providers/model-api/body/patience.ts'
import { timers } from '../../../helpers/timers.ts'

const FAR = 600_000

describe('patience with a read that is no longer essential', () => {
  it('gives what was read, or the end where reading fails', async () => {
    const piece = { done: false, value: new Uint8Array([1]) } as const
    const until = performance.now() + FAR
    expect(await patiently(Promise.resolve(piece), until)).to.equal(piece)
    expect(await patiently(Promise.reject(new Error('gone')), until)).to.deep.equal({ done: true })
  })

  it('leaves no timer behind, which would keep the process', async () => {
    const before = timers()
    const until = performance.now() + FAR
    for (let at = 0; at < 20; at++) await patiently(Promise.resolve({ done: true }), until)
    expect(timers()).to.be.below(before + 10)
  })

  it('takes what has not come in time for the end', async () => {
    const never = new Promise<never>(() => undefined)
    expect(await patiently(never, performance.now() - 1)).to.deep.equal({ done: true })
  })
})
