import { expect } from 'chai'
import structuredOutput, { outputOf } from '../../../features/structured-output/index.ts'
import { isRepair } from '../../../features/structured-output/is-repair.ts'
import { run } from '../../../src/agent/index.ts'
import { type ConfigLayer, type Message, textOf } from '../../../src/core/index.ts'
import { collect, scriptedHost, typesOf } from '../../helpers/hosts.ts'
import { assistant, rules, tool, user } from '../../providers/scripted/ask.ts'
import { CITY, configOf, formatOf } from './asking.ts'

const WRONG = '{"city": 5}'
const RIGHT = '{"city": "Ulm"}'
const AGAIN = { text: 'answer again' }

/** A run that this script answers. */
async function ran(script: readonly object[], more: object = {}, config: ConfigLayer = {}) {
  const settings = { scripted: { script } }
  const host = await scriptedHost(
    [structuredOutput],
    configOf(formatOf(CITY), { settings, ...config }),
  )
  const stream = run(host, { messages: 'Where?', ...more })
  const events = await collect(stream)
  const result = await stream.result
  await host.close()
  return { events, ...result }
}

function roles(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => `${message.role}: ${textOf(message)}`)
}

describe('a run with structured-output', () => {
  it('has an answer mended that is not valid', async () => {
    const { messages, status, steps, events } = await ran(
      rules([AGAIN, { text: RIGHT }], [undefined, { text: WRONG }]),
    )
    expect({ status, steps }).to.deep.equal({ status: 'done', steps: 2 })
    const [first, repair, last] = roles(messages)
    expect([first, last]).to.deep.equal([`assistant: ${WRONG}`, `assistant: ${RIGHT}`])
    expect(repair).to.include('/city must be string').and.to.include('Answer again')
    expect(outputOf(messages)).to.deep.equal({ city: 'Ulm' })
    expect(typesOf(events).filter((type) => type === 'step-start')).to.have.length(2)
  })

  it('ends with OUTPUT_INVALID where the second answer is not valid either', async () => {
    const { messages, error, steps } = await ran(rules([undefined, { text: WRONG }]))
    expect(steps).to.equal(2)
    expect(error).to.include({ code: 'OUTPUT_INVALID', plugin: 'structured-output' })
    expect(error?.message).to.include('asked for once more').and.to.include('/city')
    expect(roles(messages).at(-1)).to.equal(`assistant: ${WRONG}`)
  })

  it('ends so with a schema that no answer can meet', async () => {
    for (const schema of [
      { not: {} },
      { type: 'string', enum: [1] },
      { minItems: 2, maxItems: 1, type: 'array' },
    ]) {
      const { error, steps } = await ran([], {}, { response_format: formatOf(schema) })
      expect(error).to.include({ code: 'OUTPUT_INVALID' })
      expect(steps).to.equal(2)
    }
  })

  it('counts an answer behind calls as the same, and has no second one mended', async () => {
    const { error, steps, messages } = await ran(
      rules(
        [{ tool: 'look' }, { text: WRONG }],
        [AGAIN, { tool_calls: [{ name: 'look', input: {} }] }],
        [undefined, { text: WRONG }],
      ),
      { tools: [{ ...tool('look'), execute: () => 'Ulm' }] },
    )
    expect(error).to.include({ code: 'OUTPUT_INVALID' })
    expect(steps).to.equal(3)
    expect(messages.map(({ role }) => role)).to.deep.equal([
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })

  it('checks no step but the last', async () => {
    const { status, steps, messages } = await ran(
      rules(
        [{ tool: 'look' }, { text: RIGHT }],
        [undefined, { text: 'I look.', tool_calls: [{ name: 'look', input: {} }] }],
      ),
      { tools: [{ ...tool('look'), execute: () => 'Ulm' }] },
    )
    expect({ status, steps }).to.deep.equal({ status: 'done', steps: 2 })
    expect(outputOf(messages)).to.deep.equal({ city: 'Ulm' })
  })

  it('has nothing mended where the answer was cut off', async () => {
    const { error, steps } = await ran(
      rules([undefined, { text: '{"city": "Ulm', finish_reason: 'length' }]),
    )
    expect(error).to.include({ code: 'OUTPUT_INVALID' })
    expect(error?.message).to.include('max_output_tokens')
    expect(steps).to.equal(1)
  })

  it('ends with OUTPUT_INVALID where no step is left to mend an answer in', async () => {
    const { error, steps } = await ran(rules([undefined, { text: WRONG }]), { maxSteps: 1 })
    expect(error).to.include({ code: 'OUTPUT_INVALID' })
    expect(steps).to.equal(1)
  })

  it('has another answer of the same conversation mended again', async () => {
    const script = rules([AGAIN, { text: RIGHT }], [undefined, { text: WRONG }])
    const { messages } = await ran(script)
    const history = [user('Where?'), ...messages, user('And then?')]
    const next = await ran(script, { messages: history })
    expect({ status: next.status, steps: next.steps }).to.deep.equal({ status: 'done', steps: 2 })
  })
})

describe('whether an answer is a repair', () => {
  const failed = (code = 'OUTPUT_INVALID'): Message => ({
    ...assistant(WRONG),
    metadata: { retry: { code, message: 'Answer again.' } },
  })
  const call: Message = { role: 'assistant', parts: [] }
  const result: Message = { role: 'tool', parts: [] }
  const HISTORIES: readonly [isOne: boolean, messages: readonly Message[]][] = [
    [false, []],
    [false, [user('Where?')]],
    [false, [assistant('Hello.')]],
    [true, [user('Where?'), failed(), user('Answer again.')]],
    [true, [user('Where?'), failed(), user('Answer again.'), call, result]],
    [false, [user('Where?'), failed('TOO_RUDE'), user('Be polite.')]],
    [false, [user('Where?'), failed(), user('Answer again.'), assistant(RIGHT), user('And now?')]],
  ]
  for (const [isOne, messages] of HISTORIES) {
    const title = messages.map(({ role, metadata }) => metadata?.retry?.code ?? role).join(', ')
    it(`is ${isOne ? '' : 'not '}said by: ${title || 'nothing'}`, () => {
      expect(isRepair(messages)).to.equal(isOne)
    })
  }
})
