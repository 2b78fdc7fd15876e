import { expect } from 'chai'
import type { Log } from '../../src/plugin/index.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { type Asked, Served } from './routes/served.ts'

type Entry = Parameters<Log>[0]

const messages = [{ role: 'user', content: 'hi' }]
const CHAT = { model: 'm', messages }

/** A request of each protocol, the header in which its clients look for an id, and the models in its format. */
const PROTOCOLS = [
  { path: '/v1/messages', body: { ...CHAT, max_tokens: 9 }, header: 'request-id' },
  { path: '/v1/chat/completions', body: CHAT, header: 'x-request-id' },
  { path: '/v1/responses', body: { model: 'm', input: 'hi' }, header: 'x-request-id' },
] as const

for (const { path, body, header } of PROTOCOLS) {
  describe(`the id of a request to ${path}`, () => {
    let served: Served
    let lines: Entry[]
    beforeEach(() => {
      lines = []
    })
    afterEach(() => served.close())

    async function serve(fails: boolean): Promise<void> {
      const stream = function* () {
        if (fails) throw Object.assign(new Error('No.'), { code: 'INVALID_REQUEST', status: 400 })
        yield { type: 'text-start', id: '1' }
        yield { type: 'text-delta', id: '1', delta: 'hi' }
        yield { type: 'text-end', id: '1' }
      }
      served = await Served.start(
        { models: { m: {} }, log: (line) => lines.push(line) },
        { plugins: [eventProvider([], { stream })], config: { provider: 'p' } },
      )
    }

    /** The ids of an answer, of its body where it is an error of Anthropic, and of its line in the log. */
    async function idsOf(asked: Asked, at: string = path) {
      lines.length = 0
      const { headers, json, status } = await served.ask(at, asked)
      const line = lines.find(({ message }) => message === 'request')
      const { runId, requestId } = line ?? expect.fail('The request was not logged.')
      return {
        status,
        id: headers.get(header),
        run: headers.get('x-run-id'),
        told: json['request_id'],
        runId,
        requestId,
      }
    }

    for (const isStreaming of [false, true]) {
      const asked = { body: { ...body, stream: isStreaming } }
      const kind = isStreaming ? 'a stream' : 'a whole answer'

      it(`is that of the run, for ${kind}`, async () => {
        await serve(false)
        const { status, id, run, runId, requestId } = await idsOf(asked)
        expect([status, id, runId, requestId]).to.deep.equal([200, run, run, undefined])
        expect(run).to.be.a('string')
      })

      it(`is that of the run, for ${kind} that fails before any output`, async () => {
        await serve(true)
        const { status, id, run, told, runId } = await idsOf(asked)
        expect([status, id, runId]).to.deep.equal([400, run, run])
        expect(run).to.be.a('string')
        expect(told).to.equal(header === 'request-id' ? run : undefined)
      })
    }

    it('is one of its own, which the log has, where no run began', async () => {
      await serve(false)
      const refused: readonly (readonly [number, Asked, string?])[] = [
        [400, { body: { ...body, top_p: 'x' } }],
        [401, { body, headers: { authorization: 'Bearer nobody-0123456789abcdef' } }],
        [404, { body: { ...body, model: 'unknown' } }],
        [404, { body }, `${path}/nothing/here`],
      ]
      const seen = new Set<unknown>()
      for (const [status, asked, at] of refused) {
        const ids = await idsOf(asked, at)
        expect(ids.id).to.be.a('string').and.not.equal('')
        expect([ids.status, ids.run, ids.requestId]).to.deep.equal([status, null, ids.id])
        expect(ids.told).to.equal(header === 'request-id' ? ids.id : undefined)
        seen.add(ids.id)
      }
      expect(seen.size).to.equal(refused.length)
    })
  })
}

describe('the id of a request that no model API has', () => {
  it('is not told, and not logged', async () => {
    const lines: Entry[] = []
    const served = await Served.start({ log: (line) => lines.push(line) })
    const { headers, status } = await served.ask('/api/unknown')
    await served.close()
    expect([status, headers.get('x-request-id'), headers.get('request-id')]).to.deep.equal([
      404,
      null,
      null,
    ])
    expect(lines.find(({ message }) => message === 'request')).not.to.have.property('requestId')
  })
})
