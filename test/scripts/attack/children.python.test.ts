import { expect } from 'chai'
import { attackChildren } from '../../../scripts/attack/children.ts'
import { pythonOf } from '../../helpers/python.ts'

describe('what a command leaves that ends while its Python plugin is in C', function () {
  this.timeout(120_000)
  before(async function () {
    await pythonOf(this)
  })

  for (const [signal, tries] of [
    ['SIGKILL', 5],
    ['SIGTERM', 2],
    ['SIGHUP', 2],
  ] as const) {
    it(`is no process, after ${signal}`, async () => {
      const { tried, held, detail } = await attackChildren({ tries, signal })
      expect(held, detail).to.equal(tried)
    })
  }
})
