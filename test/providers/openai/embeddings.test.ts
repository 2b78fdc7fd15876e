import { expect } from 'chai'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../../scripts/replay/replies.ts'
import type { ConfigLayer, Host } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { socketsClosed } from '../connections.ts'
import { configFor as compatible, compatibleHost } from '../openai-compatible/asking.ts'
import { configFor, openaiHost } from './asking.ts'

const usage = { prompt_tokens: 7, total_tokens: 7 }
const base64 = (...numbers: number[]) =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64')
const answerOf = (...embeddings: unknown[]) => ({
  object: 'list',
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage,
})

type Settings = { readonly [key: string]: unknown }

for (const [name, makeHost, config] of [
  ['OpenAI', openaiHost, configFor],
  ['an OpenAI-compatible server', compatibleHost, compatible],
] as const) {
  describe(`embeddings of ${name}`, () => {
    let server: ReplayServer
    let host: Host
    beforeEach(async () => {
      server = await new ReplayServer().start()
      host = await makeHost()
    })
    afterEach(async () => {
      await host.close()
      await server.close()
    })
    const asked = (settings: Settings = {}, more: ConfigLayer = {}) =>
      config(server, { max_retries: 0, ...settings }, { model: 'embed-1', ...more })

    it('are asked for in base64, and read', async () => {
      server.reply = () => jsonReply(answerOf(base64(1, 0.5), base64(-2, 0)))
      const inputs = ['one', [1, 2]]
      const { vectors, tokens } = await host.embed(asked(), inputs, { dimensions: 2 })
      expect(vectors.map((one) => Array.from(one))).to.deep.equal([
        [1, 0.5],
        [-2, 0],
      ])
      expect(tokens).to.equal(7)
      const [request] = server.requests
      expect(request?.path).to.equal('/v1/embeddings')
      expect(request?.headers.authorization).to.equal('Bearer sk-test-0123456789')
      expect(request?.body).to.deep.equal({
        model: 'embed-1',
        input: inputs,
        encoding_format: 'base64',
        dimensions: 2,
      })
    })

    it('are read in any order, and as lists of numbers too', async () => {
      const { data } = answerOf([1, 2], [3, 4])
      server.reply = () => jsonReply({ data: data.toReversed() })
      const { vectors, tokens } = await host.embed(asked(), ['a', 'b'])
      expect(vectors).to.deep.equal([
        [1, 2],
        [3, 4],
      ])
      expect(tokens).to.equal(undefined)
    })

    it('are refused where one is missing, or has a place that there is not', async () => {
      const vector = base64(1)
      for (const data of [
        [{ index: 0, embedding: vector }],
        [{ embedding: vector }, { embedding: 3 }],
        [
          { index: 0, embedding: vector },
          { index: 0, embedding: vector },
        ],
        [
          { index: 0, embedding: vector },
          { index: 4_000_000_000, embedding: vector },
        ],
        [
          { index: '__proto__', embedding: vector },
          { index: -1, embedding: vector },
        ],
        'none',
      ]) {
        server.reply = () => jsonReply({ data })
        const error = await errorOf(host.embed(asked(), ['a', 'b']))
        expect(error, JSON.stringify(data)).to.include({ code: 'PROVIDER_FAILED' })
      }
    })

    it('have the typed errors of the API, without the key', async () => {
      const said = {
        error: { message: 'Incorrect key sk-test-0123456789', code: 'invalid_api_key' },
      }
      server.reply = () => jsonReply(said, { status: 401 })
      const error = await errorOf(host.embed(asked(), ['a']))
      expect(error).to.include({ code: 'PROVIDER_UNAUTHORIZED', status: 401 })
      expect(JSON.stringify(error)).not.to.include('sk-test')
    })

    it('end at once when they are cancelled', async () => {
      server.reply = () => ({ pieces: ['{'], ending: 'never' })
      const cancel = new AbortController()
      const work = errorOf(host.embed(asked(), ['a'], { signal: cancel.signal }))
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      cancel.abort()
      expect(await work).to.include({ code: 'ABORTED' })
      await socketsClosed(server)
    })

    it('end at the limit on the size of an answer', async () => {
      server.reply = () => jsonReply(answerOf('A'.repeat(5000)))
      const limits = { answer_bytes: 1000 }
      const error = await errorOf(host.embed(asked({}, { limits }), ['a']))
      expect(error.message).to.include('answer_bytes')
    })
  })
}
