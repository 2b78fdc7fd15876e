import { expect } from 'chai'
import { Served } from './served.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const PAGE = new Map([
  ['index.html', { type: 'text/html; charset=utf-8', body: bytes('<!doctype html>') }],
  ['page/index-1.js', { type: 'text/javascript; charset=utf-8', body: bytes('1') }],
])

describe('the page of a server', () => {
  let served: Served
  afterEach(() => served.close())

  it('is there for everybody, and may load nothing of others', async () => {
    served = await Served.start({ page: PAGE })
    const { status, text, headers } = await served.ask('/', { headers: { authorization: '' } })
    expect([status, text]).to.deep.equal([200, '<!doctype html>'])
    expect(headers.get('content-security-policy')).to.match(
      /^default-src 'self'; img-src 'self' data: blob:;.* frame-ancestors 'none'$/,
    )
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('cache-control')).to.equal('no-cache')
  })

  it('has files that browsers keep, since their names change with their contents', async () => {
    served = await Served.start({ page: PAGE })
    const { headers, text } = await served.ask('/page/index-1.js')
    expect([headers.get('content-type'), headers.get('cache-control'), text]).to.deep.equal([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      '1',
    ])
    const other = await served.ask('/page/index-2.js')
    expect(other.status).to.equal(404)
  })

  it('is compressed for those who take that', async () => {
    const text = 'a'.repeat(10_000)
    const file = { type: 'text/javascript; charset=utf-8', body: bytes(text) }
    served = await Served.start({ page: new Map([['page/a.js', file]]) })
    const sizeFor = async (encodings: string) => {
      const headers = { 'accept-encoding': encodings }
      const response = await served.fetch('/page/a.js', { headers })
      const { length } = new Uint8Array(await response.arrayBuffer())
      expect(response.headers.get('vary')).to.include('accept-encoding')
      return [response.headers.get('content-encoding'), length < 1000]
    }
    expect(await sizeFor('gzip, br')).to.deep.equal(['gzip', true])
    expect(await sizeFor('gzip;q=0')).to.deep.equal([null, false])
    expect(await sizeFor('')).to.deep.equal([null, false])
  })

  it('is below the prefix of a server, with a slash, so that its files are found', async () => {
    served = await Served.start({ page: PAGE, basePath: '/chat' })
    const { status, headers } = await served.ask('/chat')
    expect([status, headers.get('location')]).to.deep.equal([302, '/chat/'])
    expect((await served.ask('/chat/')).text).to.equal('<!doctype html>')
    expect((await served.ask('/chat/page/index-1.js')).status).to.equal(200)
    expect((await served.ask('/')).status).to.equal(404)
  })

  it('is not there unless it is given', async () => {
    served = await Served.start({})
    expect((await served.ask('/')).status).to.equal(404)
  })
})
