import { expect } from 'chai'
import { settingsCheck } from '../../src/python/settings-check.ts'

describe('the check of settings by a Python class', () => {
  it('asks once for equal settings, and remembers those that came last', async () => {
    const asked: unknown[] = []
    const check = settingsCheck(async (settings) => void asked.push(settings))
    await check({ n: 0 })
    await check({ n: 0 })
    expect(asked).to.deep.equal([{ n: 0 }])
    for (let n = 1; n < 8; n++) await check({ n })
    await check({ n: 0 })
    expect(asked).to.have.length(8)
    await check({ n: 8 })
    await check({ n: 0 })
    expect(asked).to.have.length(9)
    await check({ n: 1 })
    expect(asked).to.have.length(10)
  })

  it('tells a refusal as an issue, each time', async () => {
    const check = settingsCheck(async () => ({ path: ['limit'], message: 'too large' }))
    const answer = { issues: [{ path: ['limit'], message: 'too large' }] }
    expect(await check({ limit: 9 })).to.deep.equal(answer)
    expect(await check({ limit: 9 })).to.deep.equal(answer)
  })

  it('asks again where Python could not be asked', async () => {
    let asked = 0
    const check = settingsCheck(async () => {
      if (++asked === 1) throw new Error('ended')
    })
    expect(await check({}).catch(String)).to.equal('Error: ended')
    expect(await check({})).to.deep.equal({})
  })
})
