import { expect } from 'chai'
import { Served } from '../routes/served.ts'

/**
 * The shapes of requests that the documentation of two chat UIs shows; the programs themselves are not run.
 */
describe('requests as chat UIs document them', () => {
  let served: Served
  before(async () => {
    served = await Served.start()
  })
  after(() => served.close())

  const chat = (body: object) => served.ask('/v1/chat/completions', { body })
  const HELLO = { role: 'user', content: 'hello' }

  /** The text of a stream, and how it ended. */
  function read(text: string) {
    const frames = text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    expect(frames.at(-1)).to.equal('[DONE]')
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame) as Chunk)
    return {
      text: chunks.map(({ choices }) => choices[0]?.delta?.content ?? '').join(''),
      reasoning: chunks.map(({ choices }) => choices[0]?.delta?.reasoning_content ?? '').join(''),
      usage: chunks.find(({ usage }) => usage)?.usage,
    }
  }

  describe('Open WebUI', () => {
    it('has its list of models, by key', async () => {
      const { json, status } = await served.ask('/v1/models')
      expect([status, json['object']]).to.deep.equal([200, 'list'])
    })

    it('has a chat streamed, with reasoning, and fields of its own passed over', async () => {
      const { status, text } = await chat({
        model: 'quick',
        stream: true,
        messages: [{ role: 'system', content: 'Be kind.' }, HELLO],
        stream_options: { include_usage: true },
        user: { name: 'Ada', id: '1', email: 'ada@example.org', role: 'admin' },
        metadata: { chat_id: 'c', message_id: 'm', tags: null },
        keep_alive: null,
      })
      expect(status, text).to.equal(200)
      const { usage, ...said } = read(text)
      expect(said).to.deep.equal({ text: 'You said: hello', reasoning: 'A greeting.' })
      expect(usage?.completion_tokens).to.equal(5)
    })

    it('has titles and tags made by a plain model, without tools', async () => {
      const { json } = await chat({
        model: 'quick-plain',
        messages: [{ role: 'user', content: '### Task: a title, as {"title": "…"}' }],
        stream: false,
        max_completion_tokens: 1000,
        metadata: { task: 'title_generation', chat_id: 'c' },
      })
      expect(JSON.stringify(json)).to.include('You said: ### Task')
    })
  })

  describe('LibreChat', () => {
    it('has a chat streamed at a custom endpoint, with an image', async () => {
      const image = {
        type: 'image_url',
        image_url: { url: 'data:image/png;base64,AQID', detail: 'auto' },
      }
      const { status, text } = await chat({
        model: 'quick',
        user: '6650f0c1d2e3',
        stream: true,
        temperature: 0.7,
        top_p: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }, image] }],
      })
      expect(status, text).to.equal(200)
      expect(read(text).text).to.match(/^You said: hello/)
    })

    it('has a title made of a conversation', async () => {
      const { json } = await chat({
        model: 'quick-plain',
        temperature: 0.2,
        presence_penalty: 0,
        frequency_penalty: 0,
        messages: [{ role: 'system', content: 'Write a title.' }, HELLO],
      })
      expect(JSON.stringify(json)).to.include('You said: hello')
    })
  })
})

interface Chunk {
  readonly choices: readonly {
    readonly delta?: { readonly content?: string; readonly reasoning_content?: string }
  }[]
  readonly usage?: { readonly completion_tokens: number } | null
}
