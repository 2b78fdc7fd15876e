import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { ReplayServer, type Reply } from '../../../scripts/replay/replay-server.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import {
  type Recorder,
  readExchanges,
  recordExchanges,
  recordedApi,
  suiteOf,
} from '../../../src/testing/index.ts'

const KEY = 'sk-sesame-0123456789'
const CHUNK = { id: 'c', object: 'chat.completion.chunk', model: 'm', created: 1 }
const USED = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
const WHOLE = {
  ...CHUNK,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hü!' }, finish_reason: 'stop' }],
  usage: USED,
}
const choice = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const STREAMED = [
  choice({ role: 'assistant', content: 'Hü' }),
  choice({ content: '!' }),
  `${choice({}, 'stop')}data: ${JSON.stringify({ ...CHUNK, choices: [], usage: USED })}\n\n`,
  'data: [DONE]\n\n',
]

describe('the recorder of exchanges', () => {
  let server: ReplayServer
  let host: Host
  let folder: string
  let recorder: Recorder
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [openaiCompatible] })
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  after(async () => {
    await host.close()
    await server.close()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    recorder = recordExchanges()
  })
  afterEach(() => recorder.stop())

  const configTo = (url: string) => ({
    provider: 'openai-compatible',
    model: 'm',
    settings: {
      'openai-compatible': { base_url: url, api_key: KEY, models: ['m'], max_retries: 0 },
    },
  })
  const answer = (body: { readonly [field: string]: unknown }): Reply =>
    body['stream'] === true
      ? {
          headers: {
            'content-type': 'text/event-stream',
            'x-request-id': 'r1',
            'set-cookie': 'c=1',
          },
          pieces: STREAMED,
          delay: 20,
        }
      : { pieces: [JSON.stringify(WHOLE)] }

  /** Reads a body up to the end mark, and leaves. */
  async function readToMark(leave: 'cancels' | 'aborts'): Promise<string> {
    const cancel = new AbortController()
    const response = await fetch(server.url, { signal: cancel.signal })
    let text = ''
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString()
      if (text.includes('[DONE]\n')) break
    }
    if (leave === 'aborts') cancel.abort()
    return text
  }

  const written = async (name: string) => {
    await recorder.write(join(folder, name))
    return (await readExchanges(join(folder, name)))[0]?.response
  }

  for (const leave of ['cancels', 'aborts'] as const) {
    it(`reads on where the reader ${leave} at the end mark, and takes a body that ends soon for whole`, async () => {
      const pieces = [...STREAMED, ': the end\n\n']
      server.reply = () => ({ ...answer({ stream: true }), pieces, delay: 20 })
      expect(await readToMark(leave)).to.equal(STREAMED.join(''))
      const response = await written(`${leave}.json`)
      expect(response?.body.join('')).to.equal(pieces.join(''))
      expect(response).not.to.have.property('is_cut')
      await server.idle()
    })
  }

  it('does not wait for long for the end of a body whose reader left', async () => {
    server.reply = () => ({ pieces: ['data: [DONE]\n\n'], ending: 'never' })
    await readToMark('cancels')
    expect(await written('never.json')).to.include({ is_cut: true })
    await server.idle()
  })

  it('keeps requests, statuses, headers that matter and the pieces of bodies', async () => {
    server.reply = ({ body }) => answer(body)
    await host.stream(configTo(server.url), 'Hello').result
    const [exchange] = recorder.exchanges()
    expect(exchange?.request).to.deep.include({
      method: 'POST',
      url: `${server.url}/chat/completions`,
    })
    expect(exchange?.request.body).to.have.nested.property('messages[0].content', 'Hello')
    expect(exchange?.response).to.deep.equal({
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'x-request-id': 'r1' },
      body: STREAMED,
    })
  })

  it('removes keys from headers, addresses and bodies, also across pieces', async () => {
    const pieces = ['{"said": "sk-sesame-', '0123456789", "token": "tok-0123456789"}']
    server.reply = () => ({ status: 401, pieces, delay: 20 })
    const body = JSON.stringify({ key: KEY })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const url = `${server.url}/x?api_key=${KEY}&q=1&access_token=tok-0123456789`
    await (await fetch(url, { method: 'POST', headers, body })).text()
    const mask = (text: string) => text.replaceAll('said', 'hidden')
    const path = join(folder, 'keys.json')
    await recorder.write(path, { mask })
    const text = await readFile(path, 'utf8')
    expect(text).not.to.match(/sesame|tok-0|authorization|said/)
    expect(text).to.include('q=1').and.to.include('api_key=***')
    const [exchange] = await readExchanges(path)
    expect(exchange?.request.body).to.deep.equal({ key: '***' })
    expect(exchange?.response).to.deep.include({ status: 401 })
  })

  it('replaces no file unless it may', async () => {
    server.reply = ({ body }) => answer(body)
    await host.send(configTo(server.url), 'Hello')
    const path = join(folder, 'once.json')
    await recorder.write(path)
    const error: unknown = await recorder.write(path).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'EEXIST' })
    await recorder.write(path, { replaces: true })
  })

  it('reads bodies that are compressed all the same, and those that are no text', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    server.reply = () => ({ headers, pieces: [gzipSync('{"a":1}')] })
    await (await fetch(`${server.url}/x`)).text()
    server.reply = () => ({ pieces: [Uint8Array.of(0xff, 0xfe, 0)] })
    await (await fetch(`${server.url}/y`)).arrayBuffer()
    const [zipped, binary] = recorder.exchanges()
    expect(zipped?.response.body).to.deep.equal(['{"a":1}'])
    expect(binary?.response).to.deep.include({ encoding: 'base64', body: ['//4A'] })
  })

  it('tells that a connection was lost before the body ended', async () => {
    server.reply = () => ({ pieces: ['{"a":'], ending: 'lost' })
    await (await fetch(`${server.url}/x`)).text().catch(() => undefined)
    expect(recorder.exchanges()[0]?.response).to.deep.include({ body: ['{"a":'], is_cut: true })
  })

  it('records nothing after it was stopped', async () => {
    recorder.stop()
    server.reply = () => ({ pieces: ['{}'] })
    await (await fetch(`${server.url}/x`)).text()
    expect(recorder.exchanges()).to.deep.equal([])
  })

  it('makes files with which the suite tests the provider', async () => {
    server.reply = ({ body }) => answer(body)
    await host.stream(configTo(server.url), 'Hello').result
    await host.send(configTo(server.url), 'Hello')
    const path = join(folder, 'suite.json')
    await recorder.write(path, { mask: (text) => host.maskTexts(text) })
    recorder.stop()
    const api = await recordedApi(path, (url) => configTo(`${url}/v1`))
    const suite = suiteOf('provider', openaiCompatible, { api })
    const faults: string[] = []
    for (const { name, run } of suite.checks)
      await run().catch((error: Error) => faults.push(`${name}: ${error.message}`))
    await suite.close()
    expect(faults).to.deep.equal([])
    expect(await readFile(path, 'utf8')).not.to.include('sesame')
  }).timeout(60_000)
})
