import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import compatible from '../../providers/openai-compatible/index.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { jsonReply } from '../../scripts/replay/replies.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import { HostError } from '../../src/plugin/index.ts'

const NAMES = ['openai', 'openai-compatible', 'anthropic'] as const
const HEADERS = ['x-request-id', 'request-id', 'apim-request-id'] as const
const ANSWERS: { readonly [name in (typeof NAMES)[number]]: object } = {
  openai: { id: 'r', object: 'response', status: 'completed', output: [] },
  'openai-compatible': {
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  },
  anthropic: {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
}

describe('the id that a model API gives a request', () => {
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [openai, compatible, anthropic] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const configFor = (name: string) => ({
    provider: name,
    model: 'm',
    settings: { [name]: { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 0 } },
  })

  for (const name of NAMES) {
    it(`is in the result, sent and streamed (${name})`, async () => {
      for (const header of HEADERS) {
        server.reply = () => jsonReply(ANSWERS[name], { headers: { [header]: 'req_1' } })
        const sent = await host.send(configFor(name), 'Hello')
        const streamed = await host.stream(configFor(name), 'Hello').result
        expect([sent.upstreamRequestId, streamed.upstreamRequestId]).to.deep.equal([
          'req_1',
          'req_1',
        ])
      }
      server.reply = () => jsonReply(ANSWERS[name])
      expect(await host.send(configFor(name), 'Hello')).not.to.have.property('upstreamRequestId')
    })

    it(`is in the error of a request that the API refused (${name})`, async () => {
      const refusal = { error: { message: 'no', type: 'invalid_request_error' } }
      server.reply = () => jsonReply(refusal, { status: 400, headers: { 'x-request-id': 'req_2' } })
      const sent: unknown = await host
        .send(configFor(name), 'Hello')
        .catch((error: unknown) => error)
      expect(HostError.is(sent) && sent.toJSON()).to.include({ upstreamRequestId: 'req_2' })
      const stream = host.stream(configFor(name), 'Hello')
      for await (const event of stream) {
        if (event.type === 'error') expect(event.error).to.include({ upstreamRequestId: 'req_2' })
      }
      expect((await stream.result).error).to.include({ upstreamRequestId: 'req_2' })
    })
  }

  it('is short and has no character that could change how a log is shown', async () => {
    const headers = { 'x-request-id': `a\u009bb"<script>${'c'.repeat(10_000)}` }
    server.reply = () => jsonReply(ANSWERS.anthropic, { headers })
    const { upstreamRequestId = '' } = await host.send(configFor('anthropic'), 'Hello')
    expect(upstreamRequestId)
      .to.match(/^abscriptc+$/)
      .and.have.length(200)
  })
})
