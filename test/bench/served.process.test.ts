import { expect } from 'chai'
import { startServer } from '../../bench/measure.ts'
import { braidworkSide, hostSide, runSide } from '../../bench/sides/served.ts'

describe('the process of a server of the benchmark', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  before(async () => {
    server = await startServer({ CHUNKS: '2' })
  })
  after(() => server.close())

  for (const start of [braidworkSide, runSide, hostSide]) {
    it(`answers whole and streamed requests: ${start.name}`, async () => {
      const side = await start(server.url)
      try {
        process.kill(side.pid, 0)
        await side.ask(false, 2)
        await Promise.all([side.ask(true, 2), side.ask(true, 1)])
      } finally {
        side.close()
      }
    })
  }

  it('fails if the model API does', async () => {
    const side = await braidworkSide('http://127.0.0.1:9')
    try {
      const error: unknown = await side.ask(false, 1).catch((thrown: unknown) => thrown)
      expect(String(error)).to.include('502')
    } finally {
      side.close()
    }
  })
})
