import { expect } from 'chai'
import { ApiServer } from '../../../src/testing/harness/model-api.ts'
import { suiteOf } from '../../../src/testing/index.ts'
import { caller } from '../../helpers/plugins.ts'

const RECORDED = { config: () => ({}), whole: { text: 'whole' }, streamed: 'one\ntwo\n' }

/** Asks the API once. */
async function asked(server: ApiServer, body: object, path = '/'): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
}

describe('the model API on loopback', () => {
  it('answers whole or as a stream, as the body asks, and keeps the bodies', async () => {
    const server = await ApiServer.start(RECORDED)
    const whole = await asked(server, { n: 1 })
    expect(await whole.json()).to.deep.equal({ text: 'whole' })
    const streamed = await asked(server, { stream: true })
    expect(streamed.headers.get('content-type')).to.equal('text/event-stream')
    expect(await streamed.text()).to.equal('one\ntwo\n')
    expect(server.bodies).to.deep.equal(['{"n":1}', '{"stream":true}'])
    await server.close()
  })

  it('tells streams by the path, if the recording says how', async () => {
    const isStream = (_body: unknown, path: string) => path.endsWith(':stream')
    const server = await ApiServer.start({ ...RECORDED, isStream })
    expect(await (await asked(server, {}, '/m:stream')).text()).to.equal('one\ntwo\n')
    await server.close()
  })

  it('gives the whole answer to all requests, if no stream is recorded', async () => {
    const server = await ApiServer.start({ config: () => ({}), whole: 'text' })
    expect(await (await asked(server, { stream: true })).text()).to.equal('text')
    await server.close()
  })

  it('refuses, breaks off, and ends too early, as it is told', async () => {
    const server = await ApiServer.start(RECORDED)
    server.mood = { status: 429 }
    expect((await asked(server, {})).status).to.equal(429)
    server.mood = { endAt: 0.5 }
    expect(await (await asked(server, { stream: true })).text()).to.equal('one\n')
    server.mood = { cutAt: 0.5 }
    const broken = await asked(server, { stream: true })
      .then((response) => response.text())
      .catch(() => 'broken')
    expect(broken).to.equal('broken')
    await server.close()
  })

  it('closes with its suite', async () => {
    let url = ''
    const config = (at: string) => {
      url = at
      return {}
    }
    const api = { ...RECORDED, config }
    const { checks, close } = suiteOf('provider', caller('p', []), { api })
    await checks[0]?.run()
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(200)
    await close()
    expect(await fetch(url, { method: 'POST', body: '{}' }).catch(() => 'closed')).to.equal(
      'closed',
    )
  })
})
