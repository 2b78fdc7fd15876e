import { expect } from 'chai'
import { type BraidworkServer, listen } from '../../src/server/index.ts'
import { errorOf } from '../helpers/plugins.ts'

function serverThatCloses(close: () => Promise<void>): BraidworkServer {
  const reload = () => Promise.reject(new Error('it has no options'))
  const connectMcp = () => Promise.reject(new Error('it has no clients'))
  const drain = () => undefined
  return { fetch: async () => new Response('hi'), activeRuns: 0, reload, connectMcp, drain, close }
}

const never = () => new Promise<void>(() => undefined)

describe('a server on a socket', () => {
  it('keeps idle connections longer than load balancers do, and tells clients how long', async () => {
    const listening = await listen(
      serverThatCloses(async () => undefined),
      { port: 0 },
    )
    const response = await fetch(listening.url)
    await response.text()
    expect(response.headers.get('keep-alive')).to.equal('timeout=75')
    await listening.close()
  })

  it('says which option is missing or misspelled', async () => {
    const server = serverThatCloses(async () => undefined)
    const faults = await Promise.all(
      [undefined, {}, { port: 0, host: '0.0.0.0' }, { port: 0, hostnam: '0.0.0.0' }].map(
        (options) => errorOf(() => listen(server, options as never)),
      ),
    )
    expect(faults.map(({ code, pointer }) => [code, pointer])).to.deep.equal([
      ['OPTION_INVALID', '/port'],
      ['OPTION_INVALID', '/port'],
      ['OPTION_INVALID', '/host'],
      ['OPTION_INVALID', '/hostnam'],
    ])
  })
})

describe('a server on a socket that is closed', () => {
  it('waits until its runs are stopped and stored', async () => {
    const done: string[] = []
    const server = serverThatCloses(async () => {
      await new Promise(setImmediate)
      done.push('stored')
    })
    const listening = await listen(server, { port: 0 })
    await listening.close()
    expect(done).to.deep.equal(['stored'])
  })

  it('does not wait longer than the grace time for work that does not stop', async () => {
    const listening = await listen(serverThatCloses(never), { port: 0, grace: 20 })
    expect(await (await fetch(listening.url)).text()).to.equal('hi')
    await listening.close()
    const refused = await fetch(listening.url).catch((error: Error) => error.message)
    expect(refused).to.equal('fetch failed')
  })
})
