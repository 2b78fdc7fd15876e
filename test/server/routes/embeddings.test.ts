import { expect } from 'chai'
import OpenAI, { APIError } from 'openai'
import { eventProvider } from '../../helpers/plugins.ts'
import { ADA, BOB, type OnSocket, onSocket } from '../hostile/on-socket.ts'
import { Served } from './served.ts'

const PATH = '/v1/embeddings'

describe("OpenAI's client that asks for embeddings", () => {
  let served: OnSocket
  let client: OpenAI
  before(async () => {
    served = await onSocket({ models: { embedder: {}, other: {} } })
    client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: ADA, maxRetries: 0 })
  })
  after(() => served.close())

  it('gets the same vectors in its own way, which is base64, and as numbers', async () => {
    const asked = { model: 'embedder', input: ['a cat', 'a dog'] }
    const { data, model, object, usage } = await client.embeddings.create(asked)
    expect([model, object]).to.deep.equal(['embedder', 'list'])
    expect(usage).to.deep.equal({ prompt_tokens: 4, total_tokens: 4 })
    expect(data.map(({ index }) => index)).to.deep.equal([0, 1])
    const floats = await client.embeddings.create({ ...asked, encoding_format: 'float' })
    expect(floats.data).to.deep.equal(data)
    expect(data[0]?.embedding).to.have.length(256)
    expect(data[0]?.embedding).not.to.deep.equal(data[1]?.embedding)
  })

  it('gives one text, and the length of the vectors', async () => {
    const asked = { model: 'embedder', input: 'a cat', dimensions: 12 }
    const { data } = await client.embeddings.create(asked)
    expect(data.map(({ embedding }) => embedding.length)).to.deep.equal([12])
  })

  it('is told what is wrong, and where', async () => {
    for (const [body, status, param] of [
      [{ input: 'a' }, 400, 'model'],
      [{ model: 'embedder' }, 400, 'input'],
      [{ model: 'embedder', input: '' }, 400, 'input'],
      [{ model: 'embedder', input: [] }, 400, 'input'],
      [{ model: 'embedder', input: {} }, 400, 'input'],
      [{ model: 'embedder', input: ['a', ''] }, 400, 'input[1]'],
      [{ model: 'embedder', input: ['a', 3] }, 400, 'input[1]'],
      [{ model: 'embedder', input: [[]] }, 400, 'input[0]'],
      [{ model: 'embedder', input: [[1], [1.5]] }, 400, 'input[1]'],
      [{ model: 'embedder', input: [1, 2, 3] }, 400, 'input[0]'],
      [{ model: 'embedder', input: 'a', encoding_format: 'int8' }, 400, 'encoding_format'],
      [{ model: 'embedder', input: 'a', dimensions: 0 }, 400, 'dimensions'],
      [{ model: 'embedder', input: 'a', dimensions: 1e12 }, 413, 'dimensions'],
      [{ model: 'embedder', input: Array(2049).fill('a') }, 413, 'input'],
      [{ model: 'embedder', input: 'a', base_url: 'http://x' }, 400, 'base_url'],
      [{ model: 'nope', input: 'a' }, 404, 'model'],
    ] as const) {
      const error = await client.embeddings.create(body as never).catch((thrown: unknown) => thrown)
      expect(error, JSON.stringify(body).slice(0, 99)).to.be.instanceOf(APIError)
      const { status: got, param: place } = error as APIError
      expect([got, place], JSON.stringify(body).slice(0, 99)).to.deep.equal([status, param])
    }
  })

  it('is told of fields that are ignored', async () => {
    const asked = { model: 'embedder', input: 'a', user: 'u' }
    const { response } = await client.embeddings.create(asked).withResponse()
    expect(response.headers.get('x-braidwork-ignored')).to.equal('user')
  })

  it('needs a token that may use the model', async () => {
    const bob = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: `${BOB}x`, maxRetries: 0 })
    const error = await bob.embeddings.create({ model: 'embedder', input: 'a' }).catch((e) => e)
    expect(error).to.include({ status: 401 })
  })
})

describe('a server that is asked for embeddings', () => {
  let served: Served
  afterEach(() => served.close())
  const models = { embedder: {} }
  const asked = { body: { model: 'embedder', input: ['four'] } }
  const serve = async (embed: unknown, more: object = {}, members: object = {}): Promise<void> => {
    const plugins = [eventProvider([], { models: ['m'], ...(embed ? { embed } : {}), ...members })]
    served = await Served.start({ models, ...more }, { plugins, config: { provider: 'p' } })
  }

  it('refuses a model that makes none, without a word of its provider', async () => {
    await serve(undefined)
    const { status, text } = await served.ask(PATH, asked)
    expect(status).to.equal(400)
    expect(text).to.include('"embedder\\" makes no embeddings').and.include('"param":"model"')
    expect(text).not.to.match(/provider/i)
  })

  it('hides the text of a model API that fails', async () => {
    await serve(() => Promise.reject(new Error('connect ECONNREFUSED internal.example')))
    const { status, text } = await served.ask(PATH, asked)
    expect(status).to.equal(500)
    expect(text).not.to.include('internal')
  })

  it('estimates the tokens where the provider states none', async () => {
    await serve(() => ({ vectors: [[1]] }))
    const { text } = await served.ask(PATH, asked)
    expect(JSON.parse(text).usage).to.deep.equal({ prompt_tokens: 1, total_tokens: 1 })
  })

  it('cancels the work when the client leaves, which then counts as no active run', async () => {
    let stopped: () => void = () => undefined
    const isStopped = new Promise<void>((resolve) => {
      stopped = resolve
    })
    let isFirst = true
    const embed = (_inputs: unknown, _options: unknown, context: { signal: AbortSignal }) => {
      if (!isFirst) return { vectors: [[1]] }
      isFirst = false
      leave.abort()
      return new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => {
          stopped()
          reject(context.signal.reason)
        })
        if (context.signal.aborted) stopped()
      })
    }
    const leave = new AbortController()
    await serve(embed, { limits: { runs: 1 } })
    await served.ask(PATH, { ...asked, signal: leave.signal })
    await isStopped
    expect((await served.ask(PATH, asked)).status).to.equal(200)
  })

  it('counts what they cost', async () => {
    const getModelInfo = () => ({ price: { input: 1_000_000, output: 0 } })
    const embed = () => ({ vectors: [[1]], tokens: 3 })
    const config = { model: 'm' }
    await serve(
      embed,
      { models: { embedder: { config } }, limits: { cost_per_day: 2 } },
      { getModelInfo },
    )
    expect((await served.ask(PATH, asked)).status).to.equal(200)
    const { status, text } = await served.ask(PATH, asked)
    expect(status).to.equal(429)
    expect(text).to.include('daily limit of 2 dollars')
    expect((await served.ask(PATH, { ...asked, as: 'bob' })).status).to.equal(200)
  })
})
