import { expect } from 'chai'
import { openStorage } from '../../../src/store/index.ts'
import { type Backend, madeSqlite, memory } from '../../store/backends.ts'
import { questions, Secured } from './secured.ts'

for (const backend of [memory, madeSqlite()] satisfies Backend[]) {
  describe(`a caller who is forgotten while a server uses the storage in ${backend.name}`, function () {
    this.timeout(20_000)
    let secured: Secured
    before(() => backend.begin())
    after(() => backend.end())
    beforeEach(async () => {
      secured = new Secured(await openStorage(backend.place()))
    })
    afterEach(async () => {
      await secured.close()
      await secured.storage.close()
    })

    it('loses the token and the streams, and nothing is stored of the caller afterwards', async () => {
      const { storage } = secured
      const served = await secured.serve()
      const { headers } = await secured.issue({ id: 'eva' })
      const asked = questions('slow', 'count').map(([path, body]) =>
        served.fetch(path, { headers, body: { ...body, stream: true } }),
      )
      const streams = await Promise.all(asked)
      expect((await storage.owners.count('eva')).runs).to.be.above(0)
      await storage.owners.forget('eva')
      for (const stream of streams) expect(await stream.text()).to.not.include('number 60')
      expect((await served.ask('/v1/models', { headers })).status).to.equal(401)
      while (served.activeRuns > 0) await new Promise(setImmediate)
      expect((await served.ask('/v1/models', { as: 'bob' })).status).to.equal(200)
      await secured.close()
      const left = Object.entries(await storage.owners.count('eva'))
      expect(left.filter(([, number]) => number > 0)).to.deep.equal([])
    })
  })
}
