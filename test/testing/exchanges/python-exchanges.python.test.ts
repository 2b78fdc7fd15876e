import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ReplayServer, type Reply } from '../../../scripts/replay/replay-server.ts'
import { createHost, type Host, textOf } from '../../../src/core/index.ts'
import { type Recorder, recordExchanges } from '../../../src/testing/index.ts'
import { llmPythonOf } from '../../helpers/llm-python.ts'

const CALLER = join(import.meta.dirname, 'fixtures', 'caller.py')
const PIECES = ['It is ', 'hot,\n\ntru', 'ly.\r\n']
const LIBRARIES = [
  'urllib',
  'http.client',
  'requests',
  'httpx',
  'httpx, async',
  'httpx2',
  'httpx2, async',
]

describe('the recorder of exchanges, with plugins in Python', function () {
  this.timeout(300_000)
  let server: ReplayServer
  let recorder: Recorder
  let host: Host
  let python: { readonly executable: string }
  before(async function () {
    python = { executable: await llmPythonOf(this) }
    server = await new ReplayServer().start()
  })
  after(() => server?.close())
  beforeEach(async () => {
    recorder = recordExchanges()
    host = await createHost({ plugins: [CALLER], python })
  })
  afterEach(async () => {
    recorder.stop()
    await host.close()
  })

  const ask = async (library: string, reply: Reply, path = '/words') => {
    server.reply = () => reply
    const settings = { caller: { url: `${server.url}${path}`, library } }
    return host.stream({ provider: 'caller', settings }, 'Is tea hot?').result
  }

  for (const library of LIBRARIES) {
    it(`records requests and the pieces of responses that come by ${library}`, async () => {
      const { messages } = await ask(library, { pieces: PIECES, delay: 30 })
      expect(messages.map(textOf).join('')).to.equal(PIECES.join(''))
      const exchanges = recorder.exchanges()
      expect(exchanges).to.have.length(1)
      const [{ request, response } = { request: undefined, response: undefined }] = exchanges
      expect(request).to.deep.include({ method: 'POST', url: `${server.url}/words` })
      expect(request?.body).to.deep.equal({ words: 'tea', key: '***' })
      expect(request?.headers).to.deep.include({ 'content-type': 'application/json' })
      expect(response).to.deep.include({ status: 200, body: PIECES })
      expect(response).not.to.have.property('is_cut')
      expect(server.requests.at(-1)?.headers['accept-encoding']).to.equal('identity')
    })

    it(`records bodies of a known length, and none, by ${library}`, async () => {
      const headers = { 'content-length': '6' }
      await ask(library, { headers, pieces: ['It is '] })
      await ask(library, { headers: { 'content-length': '0' }, pieces: [] })
      const bodies = recorder.exchanges().map(({ response }) => response)
      expect(bodies.map(({ body }) => body.join(''))).to.deep.equal(['It is ', ''])
      expect(bodies.map((response) => 'is_cut' in response)).to.deep.equal([false, false])
    })

    it(`tells that a connection by ${library} was lost before the body ended`, async () => {
      await ask(library, { pieces: PIECES.slice(0, 1), delay: 30, ending: 'lost' })
      const [exchange] = recorder.exchanges()
      expect(exchange?.response).to.deep.include({ body: ['It is '], is_cut: true })
    })
  }

  for (const library of ['urllib', 'requests', 'httpx', 'httpx, async']) {
    const MARKED = ['data: hot\n\n', 'data: [DONE]\n\n']

    it(`records a body as whole whose reader left by ${library} at the end mark of the API`, async () => {
      const { error } = await ask(`${library}, to the mark`, { pieces: MARKED, delay: 30 })
      expect(error).to.equal(undefined)
      const [exchange] = recorder.exchanges()
      expect(exchange?.response).to.deep.include({ body: MARKED })
      expect(exchange?.response).not.to.have.property('is_cut')
    })

    it(`tells that a body has not ended whose reader left by ${library}, and does not wait for it`, async () => {
      const { error } = await ask(`${library}, to the mark`, { pieces: MARKED, ending: 'never' })
      expect(error).to.equal(undefined)
      const [exchange] = recorder.exchanges()
      expect(exchange?.response).to.include({ is_cut: true })
    })
  }

  for (const framing of [{ 'content-length': '6' }, {}]) {
    it(`records that a response to HEAD has no body, with headers ${JSON.stringify(framing)}`, async () => {
      await ask('urllib, HEAD', { headers: framing, pieces: [] })
      const [exchange] = recorder.exchanges()
      expect(exchange?.request.method).to.equal('HEAD')
      expect(exchange?.response).to.deep.include({ status: 200, body: [] })
      expect(exchange?.response).not.to.have.property('is_cut')
    })
  }

  it('writes no secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
    try {
      await ask(
        'httpx',
        { pieces: ['your key is sk-sesame-0123456789'] },
        '/x?api_key=sesame-012345',
      )
      await recorder.write(join(folder, 'words.json'))
      const text = await readFile(join(folder, 'words.json'), 'utf8')
      expect(text).to.include('your key is ***').and.not.include('sesame')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('records nothing of an interpreter that began before it, and nothing after it was stopped', async () => {
    await ask('urllib', { pieces: PIECES })
    const later = recordExchanges()
    recorder.stop()
    await ask('urllib', { pieces: PIECES })
    expect(recorder.exchanges()).to.have.length(1)
    expect(later.exchanges()).to.have.length(1)
    later.stop()
    const early = await createHost({ plugins: [CALLER], python })
    try {
      await early.resolve({ provider: 'caller' })
      const late = recordExchanges()
      const settings = { caller: { url: `${server.url}/words`, library: 'urllib' } }
      await early.stream({ provider: 'caller', settings }, 'Is tea hot?').result
      late.stop()
      expect(late.exchanges()).to.deep.equal([])
    } finally {
      await early.close()
    }
  })
})
