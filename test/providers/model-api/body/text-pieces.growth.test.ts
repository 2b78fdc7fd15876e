import { expect } from 'chai'
import { createOpenAICompatible } from '../../../../providers/openai-compatible/index.ts'
import { createHost, textOf } from '../../../../src/core/index.ts'
import { expectLinear } from '../../../helpers/doubling.ts'

const ANSWER = `data: ${JSON.stringify({ choices: [{ delta: { content: 'hi' }, finish_reason: 'stop' }] })}`

describe('the ends of lines in a stream of events', function () {
  this.timeout(120_000)

  for (const [name, end] of Object.entries({ '"\\r"': '\r', '"\\n" and one "\\r"': '\n' })) {
    it(`are read in time that grows as the stream does, where they are ${name}`, async () => {
      let body = ''
      const fetch = async () =>
        new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      await using host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
      const own = { api_key: 'sk-test-0123456789', base_url: 'https://nowhere.test' }
      const config = {
        provider: 'openai-compatible',
        model: 'm',
        settings: { 'openai-compatible': own },
      }
      await expectLinear({
        name,
        sizes: [100_000, 200_000, 400_000],
        make: (count) => {
          const text = `${`:${end}`.repeat(count)}${ANSWER}${end}${end}data: [DONE]${end}${end}:\r:`
          return async () => {
            body = text
            const { messages, error } = await host.stream(config, 'Hello').result
            if (error) throw error
            expect(messages.map(textOf)).to.deep.equal(['hi'])
          }
        },
      })
    })
  }
})
