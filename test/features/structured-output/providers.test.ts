import { expect } from 'chai'
import structuredOutput, { outputOf } from '../../../features/structured-output/index.ts'
import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import type { Place } from '../../../scripts/replay/place.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { configFor } from '../../../scripts/replay/replayer.ts'
import { run } from '../../../src/agent/index.ts'
import { type ConfigLayer, createHost, type Host, textOf } from '../../../src/core/index.ts'
import type { ResponseFormat } from '../../../src/plugin/index.ts'
import { replyWith } from '../../helpers/api-answers.ts'
import { CITY, configOf, formatOf } from './asking.ts'

interface Model extends Place {
  readonly model: string
  /** Whether its API holds it to a schema. */
  readonly isHeld: boolean
}

const MODELS: readonly Model[] = [
  { provider: 'openai', api: 'responses', model: 'gpt-5', isHeld: true },
  { provider: 'openai', api: 'chat', model: 'gpt-4.1', isHeld: true },
  { provider: 'openai-compatible', api: 'chat', preset: 'groq', model: 'm', isHeld: true },
  { provider: 'openai-compatible', api: 'chat', preset: 'deepseek', model: 'm', isHeld: false },
  { provider: 'anthropic', api: 'messages', model: 'claude-sonnet-4-5', isHeld: true },
  { provider: 'anthropic', api: 'messages', model: 'claude-3-5-haiku-latest', isHeld: false },
]
const RIGHT = '{"city":"Ulm"}'
const FENCED = `\`\`\`json\n${RIGHT}\n\`\`\``
const WRONG = '{"city":7}'
const SCHEMA = JSON.stringify(CITY)

describe('structured-output beside providers of model APIs', () => {
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [anthropic, openai, openaiCompatible, structuredOutput] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  for (const { model, isHeld, ...place } of MODELS) {
    const config = (format: ResponseFormat = formatOf(CITY)): ConfigLayer => {
      const { settings, ...more } = configFor(place, server.url)
      const own = { ...settings?.[place.provider], models: [model] }
      return configOf(format, { ...more, model, settings: { [place.provider]: own } })
    }
    const answer = (...texts: readonly string[]) => {
      server.requests.length = 0
      server.reply = ({ body }) => {
        const text = texts[Math.min(server.requests.length, texts.length) - 1] ?? ''
        return replyWith(place.api, text, body['stream'] === true)
      }
    }
    const requested = () => server.requests.map(({ body }) => body)

    describe(`${place.provider}, ${place.preset ?? place.api}, ${model}`, () => {
      it(
        isHeld ? 'hands the schema to the API alone' : 'tells the schema to the model',
        async () => {
          answer(RIGHT)
          const sent = await host.send(config(), 'Where?')
          const streamed = await host.stream(config(), 'Where?').result
          expect(outputOf(sent.messages)).to.deep.equal({ city: 'Ulm' })
          expect(streamed.messages).to.deep.equal(sent.messages)
          for (const body of requested()) {
            const told = JSON.stringify([body['messages'], body['input'], body['system']])
            expect(told.includes(JSON.stringify(SCHEMA).slice(1, -1))).to.equal(!isHeld)
            const { messages: _, input: __, system: ___, ...fields } = body
            expect(JSON.stringify(fields).includes('"city"')).to.equal(isHeld)
          }
          expect(sent.warnings).to.have.length(isHeld ? 0 : 2)
        },
      )

      it('finds the JSON in a fence, in send, stream and run', async () => {
        answer(FENCED)
        const results = [
          await host.send(config(), 'Where?'),
          await host.stream(config(), 'Where?').result,
          await run(host, { config: config(), messages: 'Where?' }).result,
        ]
        for (const { messages } of results) {
          expect(messages).to.deep.equal(results[0]?.messages)
          expect(messages.map(textOf)).to.deep.equal([RIGHT])
        }
      })

      it('has the model mend its answer', async () => {
        answer(WRONG, RIGHT)
        const { messages, status } = await run(host, { config: config(), messages: 'Where?' })
          .result
        expect(status).to.equal('done')
        expect(outputOf(messages)).to.deep.equal({ city: 'Ulm' })
        const [first, second] = requested().map((body) => JSON.stringify(body))
        expect(requested()).to.have.length(2)
        expect(first).not.to.include('/city must be string')
        expect(second).to.include('/city must be string')
      })

      it('goes on from an answer whose text is the JSON alone', async () => {
        answer(FENCED)
        const { messages } = await host.send(config(), 'Where?')
        const question = {
          role: 'user' as const,
          parts: [{ type: 'text' as const, text: 'Sure?' }],
        }
        await host.send(config(), [question, ...messages, question])
        const last = JSON.stringify(requested().at(-1))
        expect(last).to.include(JSON.stringify(RIGHT)).and.not.include('```')
        expect(last).not.to.include('structuredOutput')
      })

      it('asks for an object in words too, as APIs that know no schema want it', async () => {
        answer('{"any": 1}')
        const { messages } = await host.send(config({ type: 'json' }), 'Where?')
        expect(outputOf(messages)).to.deep.equal({ any: 1 })
        expect(JSON.stringify(requested()[0])).to.include('one JSON object')
      })
    })
  }
})
