import { expect } from 'chai'
import type { PartialEvent } from '../../../../src/plugin/events/index.ts'
import { answerOf, framesOf, RESPONSES } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { factsOf, runOf } from '../runs.ts'
import { Upstream } from '../upstream.ts'

interface Answer {
  readonly output: readonly { readonly phase?: string; readonly content: readonly object[] }[]
}

const said = (id: string, text: string, item?: object): readonly PartialEvent[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id, ...(item ? { providerMetadata: { openai: { item } } } : {}) },
]

describe('the phase of a text of OpenAI', () => {
  it('is told to clients, in a stream and in a whole answer', () => {
    const run = runOf([
      ...said('1', 'I look.', { type: 'message', phase: 'commentary' }),
      ...said('2', 'It rains.', { type: 'message', phase: 'final_answer' }),
      ...said('3', 'Bye.'),
    ])
    const frames = framesOf(RESPONSES, run).flatMap((text) => sseFrames(text))
    const { response } = JSON.parse(frames.at(-1)?.data ?? '') as { response: Answer }
    const whole = answerOf(RESPONSES, { model: 'm', input: 'hi' }, run, factsOf())
    for (const { output } of [response, (whole as { body: Answer }).body]) {
      const phases = output.map(({ phase }) => phase)
      expect(phases).to.deep.equal(['commentary', 'final_answer', undefined])
    }
  })

  it('goes back to OpenAI alone, with the text', async () => {
    const upstream = await Upstream.start({
      gpt: { provider: 'openai', model: 'gpt-5.2' },
      sonnet: { provider: 'anthropic', model: 'claude-sonnet-5-5' },
    })
    const text = (value: string) => ({ type: 'output_text', text: value })
    const message = (content: readonly object[], more: object = {}) => ({
      type: 'message',
      role: 'assistant',
      ...more,
      content,
    })
    const commented = message([text('I look.'), text('Now.')], { phase: 'commentary' })
    const input = [{ role: 'user', content: 'hi' }, commented, message([text('Bye.')])]
    const sentTo = async (model: string) =>
      (await upstream.bodyOf('/v1/responses', { model, input })).sent
    const sent = (await sentTo('gpt'))['input'] as readonly object[]
    expect(sent.slice(1)).to.deep.equal([commented, { role: 'assistant', content: 'Bye.' }])
    expect(JSON.stringify(await sentTo('sonnet'))).not.to.include('commentary')
    await upstream.close()
  })
})
