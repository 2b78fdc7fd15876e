import { expect } from 'chai'
import { sampled } from '../../helpers/cases.ts'
import { Secured } from './secured.ts'

describe('a token of the storage', function () {
  this.timeout(60_000)
  let secured: Secured
  beforeEach(() => {
    secured = new Secured()
  })
  afterEach(() => secured.close())

  it('is one of 10,000 without any of them being slow', async () => {
    const served = await secured.serve({ limits: { requests_per_minute: 1_000_000 } })
    const made = await Promise.all(
      Array.from({ length: 10_000 }, (_, at) => secured.issue({ id: `caller-${at}` })),
    )
    // Processor time: a clock would also count what others do meanwhile.
    const before = process.cpuUsage()
    const asking = sampled(made, 2)
    for (const { headers } of asking) {
      expect((await served.ask('/v1/models', { headers })).status).to.equal(200)
    }
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).to.be.below(1.5 * asking.length)
    expect(await secured.storage.tokens.list()).to.have.length(10_000)
  })
})
