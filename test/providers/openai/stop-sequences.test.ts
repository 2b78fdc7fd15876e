import { expect } from 'chai'
import fc from 'fast-check'
import { createOpenAI } from '../../../providers/openai/index.ts'
import { StopScanner } from '../../../providers/openai/responses/stop-scanner.ts'
import { EventsUntilStop } from '../../../providers/openai/responses/stopped.ts'
import { type ConfigLayer, createHost, type Message } from '../../../src/core/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { configFor, NOWHERE, streamed } from './asking.ts'

/** The text before the stop sequence that is complete first, found without cleverness. */
function textBefore(text: string, stops: readonly string[]): string {
  for (let end = 0; end <= text.length; end++) {
    const found = stops.filter((stop) => text.slice(0, end).endsWith(stop))
    if (found.length > 0) return text.slice(0, end - Math.max(...found.map((stop) => stop.length)))
  }
  return text
}

/** Short texts of few letters, so that stop sequences occur, overlap and almost occur. */
const letters = (most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: most })
const stopList = fc.array(
  letters(5).filter((stop) => stop !== ''),
  { minLength: 1, maxLength: 3 },
)

function scanned(pieces: readonly string[], stops: readonly string[]) {
  const scanner = new StopScanner(stops)
  const shown = pieces.map((piece) => scanner.add(piece))
  return { text: shown.join('') + scanner.rest(), isFound: scanner.found !== undefined, shown }
}

describe('a scanner of stop sequences', () => {
  it('gives the text before the first one, however the text is divided', () => {
    fc.assert(
      fc.property(fc.array(letters(6)), stopList, (pieces, stops) => {
        const text = pieces.join('')
        expect(scanned(pieces, stops).text).to.equal(textBefore(text, stops))
        expect(scanned([text], stops).text).to.equal(textBefore(text, stops))
        expect(scanned(pieces, stops).isFound).to.equal(stops.some((stop) => text.includes(stop)))
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  it('holds back only what may begin one', () => {
    const { shown, text } = scanned(['On', 'e: Ob', 'serv', 'ant. Ob'], ['Observation:'])
    expect(shown).to.deep.equal(['On', 'e: ', '', 'Observant. '])
    expect(text).to.equal('One: Observant. Ob')
  })
})

const item = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], ...more }],
})
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
const THOUGHT = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'I END?' }],
}
const usage = { input_tokens: 3, output_tokens: 9 }

function response(output: readonly object[], more: object = {}) {
  return { id: 'resp_1', status: 'completed', model: 'gpt-test', output, usage, ...more }
}

/** The events of a response, with its texts in pieces. */
function eventsOf(whole: ReturnType<typeof response>, pieces: readonly string[]): object[] {
  const { status } = whole
  const all = whole.output.flatMap((given, output_index) => {
    const { type } = given as { type: string }
    const delta = (text: string) => ({
      type: 'response.output_text.delta',
      output_index,
      content_index: 0,
      delta: text,
    })
    return [
      { type: 'response.output_item.added', output_index, item: { ...given, content: [] } },
      ...(type === 'message' ? pieces.map(delta) : []),
      { type: 'response.output_item.done', output_index, item: given },
    ]
  })
  const created = { type: 'response.created', response: { id: 'resp_1' } }
  return [created, ...all, { type: `response.${status}`, response: whole }]
}

async function answered(
  whole: ReturnType<typeof response>,
  pieces: readonly string[],
  more: ConfigLayer,
) {
  const lines = eventsOf(whole, pieces).map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const { stream } = JSON.parse(String(init?.body)) as { stream?: boolean }
    const headers = { 'content-type': 'text/event-stream' }
    return stream ? new Response(lines.join(''), { headers }) : Response.json(whole)
  }
  await using host = await createHost({ plugins: [createOpenAI({ fetch })] })
  const config = configFor(NOWHERE, {}, more)
  const { gathered, result } = await streamed(host, config)
  const sent = await host.send(config, 'Hello')
  expect(gathered).to.deep.equal(result.messages)
  expect(sent.messages).to.deep.equal(result.messages)
  expect(sent.usage).to.deep.equal(result.usage)
  expect(sent.finishReason).to.equal(result.finishReason)
  expect([...sent.warnings, ...result.warnings]).to.deep.equal([])
  return result
}

const shownIn = ([message]: readonly Message[]) =>
  (message?.parts ?? []).map((part) => ('text' in part ? part.text : part.type))

describe('stop sequences of the Responses API, which has none', () => {
  it('end an answer before them, with its usage, streamed and whole', async () => {
    const whole = response([THOUGHT, item('One, two END three')])
    const result = await answered(whole, ['One, t', 'wo E', 'ND th', 'ree'], { stop: 'END' })
    expect(shownIn(result.messages)).to.deep.equal(['I END?', 'One, two '])
    expect(result.finishReason).to.equal('stop')
    expect(result.messages[0]?.metadata?.['openai']).to.include({ stopSequence: 'END' })
    expect(result.usage).to.include({ input: 3, output: 9 })
  })

  it('leave out all behind them: items, calls, and why the response ended later', async () => {
    const more = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    const whole = response([item('One END two'), CALL, { ...item('three'), id: 'msg_2' }], more)
    const result = await answered(whole, ['One END two'], { stop: ['x', 'END'] })
    expect(shownIn(result.messages)).to.deep.equal(['One '])
    expect(result.finishReason).to.equal('stop')
  })

  it('leave an answer as it is that only begins them', async () => {
    const result = await answered(response([item('One EN'), CALL]), ['One', ' EN'], { stop: 'END' })
    expect(shownIn(result.messages)).to.deep.equal(['One EN', 'tool-call'])
    expect(result.finishReason).to.equal('tool-calls')
  })

  it('lose nothing that was held back where only the pieces of a text came', () => {
    const until = new EventsUntilStop(['END'], ({ type }) => type === 'response.completed')
    const place = { type: 'response.output_text.delta', output_index: 0, content_index: 0 }
    const end = { type: 'response.completed', response: response([]) }
    expect(until.add({ ...place, delta: 'One EN' })).to.deep.equal([{ ...place, delta: 'One ' }])
    expect(until.add(end)).to.deep.equal([{ ...place, delta: 'EN' }, end])
  })

  it('do nothing where they are empty', async () => {
    const result = await answered(response([item('One')]), ['One'], { stop: ['', ''] })
    expect(shownIn(result.messages)).to.deep.equal(['One'])
  })

  it('keep the citations before them', async () => {
    const cited = (end_index: number) => ({
      type: 'url_citation',
      url: 'https://a.test/',
      end_index,
    })
    const whole = response([item('One END two', { annotations: [cited(3), cited(11)] })])
    const result = await answered(whole, ['One END two'], { stop: 'END' })
    expect(shownIn(result.messages)).to.deep.equal(['One ', 'source'])
  })

  it('give the same answer for every division of the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(letters(4)), stopList, async (pieces, stop) => {
        const text = pieces.join('')
        const result = await answered(response([item(text)]), pieces, { stop })
        expect(shownIn(result.messages).join('')).to.equal(textBefore(text, stop))
      }),
      { numRuns: propertyRuns(25) },
    )
  })
})
