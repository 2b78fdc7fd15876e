import { expect } from 'chai'
import {
  type ApprovalVerdict,
  type Interruption,
  type RunOptions,
  run,
} from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { validatorOf } from '../../src/core/internal.ts'
import type { Message, RunEvent } from '../../src/plugin/events/index.ts'
import askUser from '../../tools/ask-user/index.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { feature } from '../helpers/plugins.ts'

const GO: Message = { role: 'user', parts: [{ type: 'text', text: 'Go' }] }

describe('a question to the user', () => {
  let host: Host
  afterEach(() => host.close())

  /** Begins a run whose model asks these questions. */
  async function asked(inputs: readonly object[], more: Partial<RunOptions> = {}) {
    const tool_calls = inputs.map((input) => ({ name: 'ask_user', input }))
    const script = [{ when: { step: 1 }, then: { tool_calls } }, { then: { text: 'Done.' } }]
    const config = { enabled_plugins: ['ask-user'], settings: { scripted: { script } } }
    host = await scriptedHost([askUser], { ...config, ...more.config })
    const stream = run(host, { messages: [GO], ...more })
    const events = await collect(stream)
    return { events, result: await stream.result }
  }

  type Asked = Awaited<ReturnType<typeof asked>>

  /** Goes on with verdicts, in the order of the questions. */
  async function answered(
    { result }: Asked,
    verdicts: readonly Omit<ApprovalVerdict, 'approvalId'>[],
  ) {
    const { suspension } = result
    if (!suspension) expect.fail('nothing waits')
    const given = suspension.approvals.flatMap(({ approvalId }, at) => {
      const verdict = verdicts[at]
      return verdict ? [{ approvalId, ...verdict }] : []
    })
    const stream = run(host, {
      messages: [GO, ...result.messages],
      resume: { ...suspension, verdicts: given },
    })
    const events = await collect(stream)
    return { events, result: await stream.result, outputs: outputsOf(events) }
  }

  function outputsOf(events: readonly RunEvent[]) {
    return events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [event.result.output] : [],
    )
  }

  it('CT-31 suspends the run, and the answer is the result of the call', async () => {
    const first = await asked([{ question: 'Which one?', options: ['a', 'b'] }])
    expect(first.result.finishReason).to.equal('tool-calls')
    const [waiting] = first.result.suspension?.approvals ?? []
    expect(waiting).to.deep.include({
      name: 'ask_user',
      input: { question: 'Which one?', options: ['a', 'b'] },
      isQuestion: true,
    })
    const required = first.events.find(({ type }) => type === 'approval-required')
    expect(required).to.include({ isQuestion: true, callId: 'call_1' })
    const next = await answered(first, [{ approved: true, value: 'b' }])
    expect(next.outputs).to.deep.equal([{ answer: 'b' }])
    expect(next.result).to.include({ status: 'done', finishReason: 'stop' })
    expect(typesOf(next.events)).not.to.include('tool-execution-start')
    const resolved = next.events.find(({ type }) => type === 'approval-resolved')
    expect(resolved).to.include({ isQuestion: true, approved: true })
  })

  it('CT-31 takes any JSON that fits the schema of the question', async () => {
    const schema = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }
    const first = await asked([
      { question: 'How big?', schema: JSON.stringify(schema) },
      { question: 'Why?' },
    ])
    const next = await answered(first, [
      { approved: true, value: { size: 3 } },
      { approved: true, value: 'Because.' },
    ])
    expect(next.outputs).to.deep.equal([{ answer: { size: 3 } }, { answer: 'Because.' }])
  })

  it('CT-31 tells the model of an answer that does not fit', async () => {
    const first = await asked([
      { question: 'How many?', schema: '{"type":"integer"}' },
      { question: 'Which one?', options: ['a', 'b'] },
      { question: 'Why?' },
    ])
    const verdicts = [7.5, 'c', undefined].map((value) => ({ approved: true, value }))
    const { outputs } = await answered(first, verdicts)
    expect(outputs[0]).to.match(/does not fit: \/: .*integer/)
    expect(outputs[1]).to.match(/does not fit: It must be one of "a", "b"\.$/)
    expect(outputs[2]).to.match(/does not fit: \/: it is missing\.$/)
  })

  it('CT-31 has a result too if the user declines, does not answer, or answers too late', async () => {
    const questions = [1, 2, 3].map((number) => ({ question: `Number ${number}?` }))
    const first = await asked(questions)
    const { outputs, events, result } = await answered(first, [
      { approved: false },
      { approved: true, value: 'late', answeredAt: Date.now() + 1e9 },
    ])
    expect(outputs).to.deep.equal([
      'The question was not answered. The person declined to answer it.',
      'The question was not answered. The answer came too late.',
      'The question was not answered. Nobody answered.',
    ])
    const ends = events.filter((event) => event.type === 'tool-execution-end')
    expect(ends.map(({ state }) => state)).to.deep.equal(['denied', 'denied', 'denied'])
    expect(result.status).to.equal('done')
  })

  it('CT-31 is an error result where nobody can be asked, and the run goes on', async () => {
    const questions = [{ question: 'One?' }, { question: 'Two?' }]
    const { events, result } = await asked(questions, { canAsk: false })
    const outputs = outputsOf(events)
    expect(outputs).to.have.length(2)
    expect(outputs[0]).to.match(/^Nobody can be asked here\..*do not ask again/)
    expect(typesOf(events)).not.to.include('approval-required')
    expect(result.suspension).to.equal(undefined)
    const told = result.warnings.filter((warning) => warning.includes('nobody can be asked'))
    expect(told).to.have.length(1)
    expect(result.finishReason).to.equal('stop')
  })

  it('CT-31 is asked once where the policy asks too, and not at all where it denies', async () => {
    const ask = await asked([{ question: 'Why?' }], {
      config: { tool_policy: { ask_user: 'ask' } },
    })
    expect(ask.result.suspension?.approvals).to.have.length(1)
    const next = await answered(ask, [{ approved: true, value: 'So.' }])
    expect(next.outputs).to.deep.equal([{ answer: 'So.' }])
    await host.close()
    const deny = await asked([{ question: 'Why?' }], {
      config: { tool_policy: { ask_user: 'deny' } },
    })
    expect(outputsOf(deny.events)[0]).to.match(/^Tool not available: ask_user/)
  })

  it('tells the model of a question that cannot be asked', async () => {
    const { events, result } = await asked([
      { question: 'How many?', schema: '{"type":"no such type"}' },
      { question: 'How many?', schema: 'no JSON' },
      { question: ' ' },
      { options: ['a', 'b'] },
    ])
    expect(result.suspension).to.equal(undefined)
    const outputs = outputsOf(events)
    expect(outputs[0]).to.match(/^The question is not valid at \/schema: /)
    expect(outputs[1]).to.match(/^The question is not valid at \/schema: .*JSON/)
    expect(outputs[2]).to.equal('The question is not valid at /question: it must be a text.')
    expect(outputs[3]).to.match(/question/)
  })

  it('may be blocked by a gate', async () => {
    const careful = feature('careful', { toolGate: () => ({ block: 'Not now.' }) })
    const script = [
      {
        when: { step: 1 },
        then: { tool_calls: [{ name: 'ask_user', input: { question: 'A?' } }] },
      },
      { then: { text: 'Done.' } },
    ]
    const settings = { scripted: { script } }
    host = await scriptedHost([askUser, careful], { enabled_plugins: ['ask-user'], settings })
    expect(outputsOf(await collect(run(host, { messages: [GO] })))).to.deep.equal(['Not now.'])
  })

  it('CT-31 survives the end of a process while the answer is applied', async () => {
    const first = await asked([{ question: 'Which one?' }])
    const { suspension } = first.result
    if (!suspension) expect.fail('nothing waits')
    const verdicts = suspension.approvals.map(({ approvalId }) => {
      return { approvalId, approved: true, value: 'b' }
    })
    const interruption: Interruption = {
      runId: suspension.runId,
      seq: suspension.seq + 1,
      at: 0,
      steps: suspension.steps,
      usage: {},
      messages: [],
      hasBegun: true,
      uncounted: {},
      resumptions: 0,
      interrupted: { at: 'approvals', resumption: { ...suspension, verdicts } },
      calls: { begun: new Map(), results: new Map(), resolved: new Set(), tools: [] },
    }
    const messages = [GO, ...first.result.messages]
    const events = await collect(run(host, { messages, resume: interruption }))
    expect(outputsOf(events)).to.deep.equal([{ answer: 'b' }])
  })

  it('needs the question itself, as a text, and choices that differ', async () => {
    await using plain = await scriptedHost([askUser], { enabled_plugins: ['ask-user'] })
    host = await scriptedHost()
    const [offered] = await plain.toolSchemas()
    expect(offered?.name).to.equal('ask_user')
    const validate = await validatorOf(offered?.input_schema ?? {})
    for (const input of [{ question: 'Which?' }, { question: 'Which?', options: ['a', 'b'] }])
      expect(validate(input), JSON.stringify(input)).to.equal(undefined)
    for (const [input, pointer] of [
      [{}, '/question'],
      [{ question: '' }, '/question'],
      [{ question: 'Which?', options: ['a'] }, '/options'],
      [{ question: 'Which?', options: ['a', 'a'] }, '/options'],
      [{ question: 'Which?', schema: {} }, '/schema'],
      [{ question: 'Which?', more: 1 }, '/more'],
    ] as const)
      expect(validate(input), JSON.stringify(input)).to.include({ pointer })
  })
})
