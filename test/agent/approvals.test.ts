import { expect } from 'chai'
import { type RunOptions, type RunResult, run, systemEnvironment } from '../../src/agent/index.ts'
import type { Host } from '../../src/core/host/index.ts'
import { Accumulator, EventChecker, type RunEvent } from '../../src/plugin/events/index.ts'
import type { Message } from '../../src/plugin/index.ts'
import { collect, scriptedHost, typesOf } from '../helpers/hosts.ts'
import { schema, tool } from '../helpers/plugins.ts'

const SCRIPT = {
  settings: {
    scripted: {
      script: [
        {
          when: { step: 1 },
          then: {
            tool_calls: [
              { name: 'read', input: { path: 'a' } },
              { name: 'remove', input: { path: 'a' } },
              { name: 'read', input: { path: 'b' } },
            ],
          },
        },
        { then: { text: 'Done.' } },
      ],
    },
  },
}
const ASK = { ...SCRIPT, tool_policy: { remove: 'ask' } } as const

const CHANGED =
  'The tool "remove" or the arguments of the call were changed after the call was approved.'
const REMOVED = 'The tool "remove" was removed after the call was approved.'

describe('approvals', () => {
  let ran: string[]
  let host: Host

  const note = (name: string, more: object = {}) =>
    tool(name, {
      getToolSchemas: () => [schema(name, more)],
      executeTool: ({ input }: { input: { path: string } }) => {
        ran.push(`${name} ${input.path}`)
        return `${name} ${input.path}: done`
      },
    })

  beforeEach(async () => {
    ran = []
    host = await scriptedHost([note('read'), note('remove')])
  })
  afterEach(() => host.close())

  async function leg(options: Partial<RunOptions>, on: Host = host) {
    const stream = run(on, { config: ASK, messages: 'go', ...options })
    const events = await collect(stream)
    const checker = new EventChecker('run')
    for (const event of events) checker.check(event)
    return { events, result: await stream.result }
  }

  /** The suspended run with answers to all that it waits for. */
  function resumed({ suspension, messages }: RunResult, approved: boolean, reason?: string) {
    if (!suspension) throw new Error('the run does not wait')
    const verdicts = suspension.approvals.map(({ approvalId }) => ({
      approvalId,
      approved,
      ...(reason === undefined ? {} : { reason }),
    }))
    const asked = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    return { messages: [asked, ...messages], resume: { ...suspension, verdicts } }
  }

  function outputs(events: readonly RunEvent[]) {
    return events.flatMap((event) =>
      event.type === 'tool-execution-end' ? [[event.result.output, event.result.isError]] : [],
    )
  }

  it('leave a call of the client open, and the model unasked until it is answered', async () => {
    const calls = ['remove', 'locate'].map((name) => ({ name, input: { path: 'a' } }))
    const script = [{ when: { step: 1 }, then: { tool_calls: calls } }, { then: { text: 'Done.' } }]
    const config = { ...ASK, settings: { scripted: { script } } }
    const tools = [{ name: 'locate', description: 'Where', input_schema: { type: 'object' } }]
    const { result } = await leg({ config, tools })
    const waiting = resumed(result, true)
    const open = await leg({ config, tools, ...waiting })
    expect(ran).to.deep.equal(['remove a'])
    expect(open.result).to.include({ status: 'done', finishReason: 'tool-calls', steps: 1 })
    expect(open.result.messages.map(({ role }) => role)).to.deep.equal(['tool'])
    const callId = result.messages[0]?.parts.flatMap((part) =>
      part.type === 'tool-call' && part.name === 'locate' ? [part.callId] : [],
    )[0]
    const part = { type: 'tool-result', callId: callId ?? '', name: 'locate', output: 'here' }
    const given = { role: 'tool', parts: [part] } as Message
    const whole = await leg({ config, tools, ...waiting, messages: [...waiting.messages, given] })
    expect(whole.result).to.include({ status: 'done', finishReason: 'stop', steps: 2 })
  })

  it('suspend the run after the calls that need none, and say what is asked', async () => {
    const { events, result } = await leg({})
    expect(ran).to.deep.equal(['read a', 'read b'])
    expect(result).to.include({ status: 'done', finishReason: 'tool-calls', steps: 1 })
    expect(typesOf(events).slice(-2)).to.deep.equal(['approval-required', 'finish'])
    const asked = events.find(({ type }) => type === 'approval-required')
    expect(asked).to.deep.include({ name: 'remove', input: { path: 'a' } })
    expect(asked).not.to.have.property('binding')
    const [approval] = result.suspension?.approvals ?? []
    expect(approval).to.include({ name: 'remove', callId: (asked as { callId: string }).callId })
    expect(result.suspension?.seq).to.equal(events.length)
  })

  it('let the same run go on with the call, its numbers and its steps', async () => {
    const first = await leg({})
    const second = await leg(resumed(first.result, true))
    expect(ran).to.deep.equal(['read a', 'read b', 'remove a'])
    expect(second.result).to.include({ status: 'done', finishReason: 'stop', steps: 2 })
    expect(second.result.runId).to.equal(first.result.runId)
    const all = [...first.events, ...second.events]
    expect(all.map(({ seq }) => seq)).to.deep.equal(all.map((_, index) => index))
    expect(typesOf(second.events).slice(0, 6)).to.deep.equal([
      'start',
      'model-chosen',
      'tool-inventory',
      'approval-resolved',
      'tool-execution-start',
      'tool-execution-end',
    ])
    const accumulator = new Accumulator()
    for (const event of second.events) accumulator.add(event)
    expect(accumulator.messages()).to.deep.equal(second.result.messages)
    expect(second.result.messages.map(({ role }) => role)).to.deep.equal(['tool', 'assistant'])
  })

  it('refuse the call where a person does, and say why', async () => {
    const first = await leg({})
    const second = await leg(resumed(first.result, false, 'Not that one.'))
    expect(ran).not.to.include('remove a')
    expect(outputs(second.events)).to.deep.equal([
      ['The call was not approved. Not that one.', true],
    ])
    expect(second.result).to.include({ status: 'done', finishReason: 'stop' })
  })

  const said = (role: 'user' | 'assistant') =>
    ({ role, parts: [{ type: 'text', text: 'Meanwhile.' }] }) as const
  const HISTORIES: { readonly [what: string]: (whole: readonly Message[]) => readonly Message[] } =
    {
      'were left out': ([asked]) => (asked ? [asked] : []),
      'were answered meanwhile': (whole) => [...whole, said('user')],
      'were followed by another answer': (whole) => [...whole, said('assistant')],
    }
  for (const [what, change] of Object.entries(HISTORIES)) {
    it(`run no call where the messages with the calls ${what}`, async () => {
      const first = await leg({})
      const { messages, resume } = resumed(first.result, true)
      ran.length = 0
      const { result, events } = await leg({ messages: change(messages), resume })
      expect(ran).to.deep.equal([])
      expect(result.error).to.include({ code: 'MESSAGES_INVALID', pointer: '/messages' })
      expect(result.error?.message).to.include('of "remove", which waits for an answer')
      expect(typesOf(events)).not.to.include('approval-resolved')
    })
  }

  it('LR-15 take no answer for a no', async () => {
    const first = await leg({})
    const { messages, resume } = resumed(first.result, true)
    const second = await leg({ messages, resume: { ...resume, verdicts: [] } })
    expect(outputs(second.events)).to.deep.equal([
      ['The call was not approved. Nobody answered.', true],
    ])
  })

  it('LR-15 take an answer that came too late for none', async () => {
    const late = { ...systemEnvironment, now: () => Date.now() + 61_000 }
    const first = await leg({ config: { ...ASK, limits: { approval: 60 } } })
    const second = await leg({ ...resumed(first.result, true), environment: late })
    expect(outputs(second.events)).to.deep.equal([
      ['The call was not approved. The answer came too late.', true],
    ])
  })

  it('take an answer that was given in time, however late the run goes on', async () => {
    const late = { ...systemEnvironment, now: () => Date.now() + 61_000 }
    const first = await leg({ config: { ...ASK, limits: { approval: 60 } } })
    const { messages, resume } = resumed(first.result, true)
    const answeredAt = Date.now()
    const verdicts = resume.verdicts.map((verdict) => ({ ...verdict, answeredAt }))
    await leg({ messages, resume: { ...resume, verdicts }, environment: late })
    expect(ran).to.include('remove a')
  })

  it('LR-15 hold for the tool and the arguments that were shown, and for no others', async () => {
    const { result } = await leg({})
    const { messages, resume } = resumed(result, true)
    const [approval] = resume.approvals
    const forged = { ...resume, approvals: [{ ...approval, input: { path: '/' } }] }
    const shown = JSON.stringify(messages).replaceAll('{"path":"a"}', '{"path":"/"}')
    const edited = JSON.parse(shown) as typeof messages
    const other = await leg({ messages: edited, resume: forged as typeof resume })
    const changed = await scriptedHost([note('read'), note('remove', { description: 'all' })])
    const gone = await scriptedHost([note('read')])
    const legs = [
      other,
      await leg({ messages, resume }, changed),
      await leg({ messages, resume }, gone),
      await leg({ messages, resume, config: { ...SCRIPT, tool_policy: { remove: 'deny' } } }),
    ]
    await changed.close()
    await gone.close()
    expect(ran).not.to.include('remove a').and.not.to.include('remove /')
    expect(legs.map(({ events }) => outputs(events))).to.deep.equal(
      [CHANGED, CHANGED, REMOVED, REMOVED].map((told) => [[told, true]]),
    )
    for (const differing of [
      { messages: edited, resume },
      { messages, resume: forged as typeof resume },
    ]) {
      const { result: refused } = await leg(differing)
      expect(refused.error).to.include({ code: 'MESSAGES_INVALID', pointer: '/messages' })
      expect(refused.error?.message).to.include('cannot be edited')
    }
  })

  it('take no edited arguments for an answer', async () => {
    const { result } = await leg({})
    const { messages, resume } = resumed(result, true)
    const verdicts = resume.verdicts.map((verdict) => ({ ...verdict, value: { path: '/' } }))
    const { error } = (await leg({ messages, resume: { ...resume, verdicts } })).result
    expect(error).to.include({ code: 'OPTION_INVALID', pointer: '/resume/verdicts/0/value' })
    expect(ran).not.to.include('remove a')
  })

  it('need verdicts of their own, each of them once', async () => {
    const { result } = await leg({})
    const { messages, resume } = resumed(result, true)
    const [verdict] = resume.verdicts
    if (!verdict) throw new Error('no verdict')
    const { approvalId } = verdict
    const WRONG = [
      [[{ ...verdict, approvalId: 'other' }], 0, 'is no open approval'],
      [[verdict, { ...verdict, approvalId: `${approvalId} ` }], 1, 'is no open approval'],
      [[verdict, { ...verdict, approved: false }], 1, 'has two verdicts'],
    ] as const
    for (const [verdicts, at, reason] of WRONG) {
      const { error } = (await leg({ messages, resume: { ...resume, verdicts } })).result
      const pointer = `/resume/verdicts/${at}/approvalId`
      expect(error).to.include({ code: 'OPTION_INVALID', pointer })
      expect(error?.message).to.include(reason).and.include(`"${approvalId}"`)
      expect(ran).not.to.include('remove a')
    }
    await leg({ messages, resume })
    expect(ran).to.include('remove a')
  })

  it('are not asked for where the arguments are wrong, nor where the tool is denied', async () => {
    const strict = schema('remove', {
      input_schema: { type: 'object', properties: { path: { type: 'number' } } },
    })
    const own = await scriptedHost([
      note('read'),
      tool('remove', { getToolSchemas: () => [strict], executeTool: () => 'ran' }),
    ])
    const wrong = await leg({}, own)
    await own.close()
    expect(wrong.result.suspension).to.equal(undefined)
    const denied = await leg({ config: { ...SCRIPT, tool_policy: { 'remove.remove': 'deny' } } })
    expect(ran).not.to.include('remove a')
    expect(outputs(denied.events)).to.deep.include([
      'Tool not available: remove. The policy of this host denies it.',
      true,
    ])
    expect(denied.result).to.include({ status: 'done', finishReason: 'stop' })
  })

  it('end with the run that waits where it is cancelled', async () => {
    const { result } = await leg({})
    const cancel = AbortSignal.abort()
    const second = await leg({ ...resumed(result, true), signal: cancel })
    expect(second.result.status).to.equal('aborted')
    expect(ran).not.to.include('remove a')
  })
})
