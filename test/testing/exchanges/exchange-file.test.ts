import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readExchanges, recordedApi } from '../../../src/testing/index.ts'

const REQUEST = { method: 'POST', url: 'https://a.test/v1' }
const exchange = (response: object) => ({ request: REQUEST, response })

describe('files of recorded exchanges', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'braidwork-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function written(value: unknown): Promise<string> {
    const path = join(folder, 'recording.json')
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    return path
  }

  const FAULTS: readonly [title: string, value: unknown, place: string, said: string][] = [
    ['no JSON', '{\n  "version": 1,\n  "exchanges": [,]\n}', ':3:17', 'value expected'],
    ['comments', '{\n  // one\n  "version": 1\n}', ':2:3', 'invalid comment'],
    [
      'another version',
      { version: 2, exchanges: [exchange({ status: 200, body: [] })] },
      ':2:3',
      '',
    ],
    ['no exchange', { version: 1, exchanges: [] }, ':3:3', ''],
    [
      'a status that is none',
      { version: 1, exchanges: [exchange({ status: 99, body: [] })] },
      ':10:9',
      '',
    ],
    [
      'a body that is no list',
      { version: 1, exchanges: [exchange({ status: 200, body: 'x' })] },
      ':11:9',
      '',
    ],
  ]
  for (const [title, value, place, said] of FAULTS) {
    it(`are refused with ${title}, and the error has the place`, async () => {
      const path = await written(value)
      const error: unknown = await readExchanges(path).catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'RECORDING_INVALID' })
      expect((error as Error).message)
        .to.include(`${path}${place}`)
        .and.to.include(said)
    })
  }

  it('are refused where they are not there', async () => {
    const error: unknown = await readExchanges(join(folder, 'absent.json')).catch((e: unknown) => e)
    expect(error).to.include({ code: 'RECORDING_INVALID' })
    expect((error as Error).message).to.include('absent.json')
  })

  it('give the first whole answer and the first stream that succeeded', async () => {
    const sse = { 'content-type': 'text/event-stream', 'x-request-id': 'r' }
    const json = { 'content-type': 'application/json; charset=utf-8', 'request-id': 'w' }
    const path = await written({
      version: 1,
      exchanges: [
        exchange({ status: 500, headers: json, body: ['no'] }),
        exchange({ status: 200, headers: sse, body: ['cut'], is_cut: true }),
        exchange({ status: 200, headers: sse, body: ['a', 'b'] }),
        exchange({ status: 200, headers: json, body: ['{"x":', '1}'] }),
      ],
    })
    const config = () => ({})
    expect(await recordedApi(path, config)).to.deep.equal({
      config,
      whole: '{"x":1}',
      streamed: ['a', 'b'],
      headers: { 'request-id': 'w' },
    })
  })

  it('answer all requests with the one answer that they have', async () => {
    const headers = { 'content-type': 'text/event-stream' }
    const one = exchange({ status: 200, headers, encoding: 'base64', body: ['w7w='] })
    const api = await recordedApi(await written({ version: 1, exchanges: [one] }), () => ({}))
    expect(api.streamed).to.deep.equal(['ü'])
    expect(api).not.to.have.property('whole')
  })

  it('are refused as an answer where none succeeded', async () => {
    const path = await written({ version: 1, exchanges: [exchange({ status: 500, body: [] })] })
    const error: unknown = await recordedApi(path, () => ({})).catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'RECORDING_INVALID' })
  })
})
