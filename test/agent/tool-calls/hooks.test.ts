import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { type RunOptions, type RunResult, run } from '../../../src/agent/index.ts'
import { createHost } from '../../../src/core/index.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import type { ToolCallInfo } from '../../../src/plugin/tools.ts'
import { scriptedHost } from '../../helpers/hosts.ts'
import { feature, schema, tool } from '../../helpers/plugins.ts'

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>

const INPUT = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('the hooks of a tool call', () => {
  let ran: unknown[]
  beforeEach(() => {
    ran = []
  })

  const files = () =>
    tool('files', {
      getToolSchemas: () => [schema('remove', { input_schema: INPUT })],
      executeTool: ({ input }: { readonly input: unknown }) => {
        ran.push(input)
        return 'removed'
      },
    })

  const script = [
    { when: { step: 1 }, then: { tool_calls: [{ name: 'remove', input: { path: 'a' } }] } },
    { then: { text: 'Done.' } },
  ]

  async function legOf(
    features: readonly object[],
    more: object = {},
    options: Partial<RunOptions> = {},
  ): Promise<{ readonly events: readonly RunEvent[]; readonly result: RunResult }> {
    await using host = await scriptedHost([files(), ...features])
    const config = { settings: { scripted: { script } }, ...more }
    const stream = run(host, { messages: 'go', config, ...options })
    const events: RunEvent[] = []
    for await (const event of stream) events.push(event)
    return { events, result: await stream.result }
  }

  const one = <T extends RunEvent['type']>(
    events: readonly RunEvent[],
    type: T,
  ): Of<T> | undefined => events.find((event): event is Of<T> => event.type === type)
  const endOf = (events: readonly RunEvent[]) => one(events, 'tool-execution-end')

  const edits = (name: string, input: unknown, reason: unknown = 'It must be in the folder.') =>
    feature(name, { editToolCall: () => ({ input, reason }) })
  const gate = (name: string, verdict: unknown) => feature(name, { toolGate: () => verdict })

  it('LT-02 change the arguments with which it runs, and not the words of the model', async () => {
    const { events, result } = await legOf([edits('jail', { path: '/jail/a' })])
    expect(ran).to.deep.equal([{ path: '/jail/a' }])
    const start = one(events, 'tool-execution-start')
    expect(start?.input).to.deep.equal({ path: 'a' })
    expect(start?.hooks).to.deep.equal([
      {
        plugin: 'jail',
        hook: 'editToolCall',
        reason: 'It must be in the folder.',
        input: { path: '/jail/a' },
      },
    ])
    expect(endOf(events)).not.to.have.property('hooks')
    expect(result.messages[0]?.parts[0]).to.deep.include({ input: { path: 'a' } })
  })

  it('LT-02 each see the arguments as the one before left them, in copies of their own', async () => {
    const seen: unknown[] = []
    const spoils = feature('spoils', {
      editToolCall: (call: { input: { path: string } }) => {
        seen.push({ ...call.input })
        call.input.path = 'spoiled'
      },
    })
    await legOf([edits('first', { path: 'b' }), spoils])
    expect(seen).to.deep.equal([{ path: 'b' }])
    expect(ran).to.deep.equal([{ path: 'b' }])
  })

  it('know the tool, its plugin, its safety and its policy', async () => {
    let info: ToolCallInfo | undefined
    const looks = feature('looks', {
      toolGate: (call: ToolCallInfo) => {
        info = call
      },
    })
    await legOf([looks])
    expect(info).to.deep.include({
      name: 'remove',
      plugin: 'files',
      input: { path: 'a' },
      safety: {},
    })
    expect(info?.policy.decision).to.equal('allow')
  })

  for (const [what, input] of [
    ['are not valid', { path: 1 }],
    ['are no object', 'a'],
  ] as const) {
    it(`LT-02 stop a call whose new arguments ${what}, and name the feature`, async () => {
      const { events } = await legOf([edits('wild', input)])
      expect(ran).to.deep.equal([])
      const end = endOf(events)
      expect(end).to.include({ state: 'blocked' })
      expect(end?.error?.class).to.equal('hook_blocked')
      expect(end?.result.output).to.include('"wild"').and.include('arguments')
      expect(one(events, 'tool-execution-start')).to.equal(undefined)
    })
  }

  it('AW-64 block it with a reason, which the model reads', async () => {
    const { events } = await legOf([gate('guard', { block: 'Not on Sundays.' })])
    expect(ran).to.deep.equal([])
    const end = endOf(events)
    expect(end).to.include({ state: 'blocked' })
    expect(end?.error?.class).to.equal('hook_blocked')
    expect(end?.result).to.include({ output: 'Not on Sundays.', isError: true })
    expect(end?.hooks).to.deep.equal([
      { plugin: 'guard', hook: 'toolGate', reason: 'Not on Sundays.' },
    ])
  })

  it('AW-64 give it a result without running it', async () => {
    const { events } = await legOf([
      gate('cache', { result: 'known', reason: 'It was asked before.' }),
    ])
    expect(ran).to.deep.equal([])
    expect(endOf(events)).to.deep.include({ state: 'succeeded' })
    expect(endOf(events)?.result).to.deep.include({ output: 'known' })
    expect(one(events, 'tool-execution-start')).to.equal(undefined)
  })

  it('AW-64 let a person decide, who sees the arguments and the reason', async () => {
    const features = [
      edits('jail', { path: '/jail/a' }),
      gate('careful', { suspend: 'It removes.' }),
    ]
    const first = await legOf(features)
    expect(ran).to.deep.equal([])
    const asked = one(first.events, 'approval-required')
    expect(asked?.input).to.deep.equal({ path: '/jail/a' })
    expect(asked?.hooks?.map(({ plugin }) => plugin)).to.deep.equal(['jail', 'careful'])
    const { suspension } = first.result
    if (!suspension) throw new Error('The run waits for nobody.')
    const verdicts = suspension.approvals.map(({ approvalId }) => ({ approvalId, approved: true }))
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      ...first.result.messages,
    ]
    const second = await legOf(features, {}, {
      resume: { ...suspension, verdicts },
      messages,
    } as never)
    expect(ran).to.deep.equal([{ path: '/jail/a' }])
    expect(endOf(second.events)?.state).to.equal('succeeded')
    ran = []
    const blocked = await legOf([gate('careful', { block: 'Too late.' })], {}, {
      resume: { ...suspension, verdicts },
      messages,
    } as never)
    expect(ran).to.deep.equal([])
    expect(endOf(blocked.events)?.error?.class).to.equal('hook_blocked')
  })

  it('AW-64 obey the strictest, and of equals the first', async () => {
    const verdicts = [
      gate('a', undefined),
      gate('b', { result: 1, reason: 'x' }),
      gate('c', { block: 'c says no' }),
      gate('d', { block: 'd says no' }),
      gate('e', { suspend: 'e wonders' }),
    ]
    const { events } = await legOf(verdicts)
    expect(endOf(events)?.result.output).to.equal('c says no')
  })

  it('AW-69 block a call where a gate throws or answers nonsense', async () => {
    const throws = feature('throws', {
      toolGate: () => {
        throw new Error('no idea')
      },
    })
    for (const bad of [throws, gate('silly', { maybe: true }), gate('number', 1)]) {
      const { events } = await legOf([bad])
      expect(ran).to.deep.equal([])
      expect(endOf(events)?.error?.class).to.equal('hook_blocked')
      expect(endOf(events)?.result.output).to.include(`"${bad.name}"`)
    }
  })

  it('are in the log where one throws, as the model is told', async () => {
    const throws = feature('throws', {
      toolGate: () => {
        throw new Error('no idea')
      },
    })
    const logged: object[] = []
    await using host = await createHost({
      plugins: [scripted, files(), throws],
      config: { settings: { scripted: { script } } },
      log: (line) => logged.push(line),
    })
    await run(host, { messages: 'go' }).result
    expect(logged).to.deep.equal([
      {
        level: 'warn',
        message: 'Hook "toolGate" of feature "throws" failed: no idea',
        hook: 'toolGate',
        plugin: 'throws',
      },
    ])
  })

  it('LT-07 never pass over the policy: denied stays denied, and ask still asks', async () => {
    const known = gate('cache', { result: 'known', reason: 'x' })
    const denied = await legOf([known], { tool_policy: { remove: 'deny' } })
    expect(endOf(denied.events)?.error?.class).to.equal('permission_denied')
    const asked = await legOf([known], { tool_policy: { remove: 'ask' } })
    expect(endOf(asked.events)).to.equal(undefined)
    expect(one(asked.events, 'approval-required')).to.include({ name: 'remove' })
    expect(ran).to.deep.equal([])
  })

  it('change what the model is told of it, and say so in its end', async () => {
    const masks = feature('masks', {
      editToolResult: (_: unknown, { output, isError }: { output: unknown; isError: boolean }) => ({
        output: `${output}? ${isError}`,
        reason: 'It was too clear.',
      }),
    })
    const { events, result } = await legOf([masks])
    expect(endOf(events)?.result.output).to.equal('removed? false')
    expect(endOf(events)?.hooks).to.deep.equal([
      { plugin: 'masks', hook: 'editToolResult', reason: 'It was too clear.' },
    ])
    expect(result.messages[1]?.parts[0]).to.deep.include({ output: 'removed? false' })
  })

  it('AW-69 withhold a result where one fails', async () => {
    const throws = feature('throws', {
      editToolResult: () => {
        throw new Error('no idea')
      },
    })
    for (const bad of [throws, feature('wild', { editToolResult: () => ({ output: () => 1 }) })]) {
      const { events } = await legOf([bad])
      expect(endOf(events)).to.include({ state: 'blocked' })
      expect(endOf(events)?.result.output).not.to.include('removed')
    }
  })

  it('end with the run, and the call is cancelled, not blocked', async () => {
    for (const hook of ['editToolCall', 'toolGate', 'editToolResult'] as const) {
      const cancel = new AbortController()
      const hangs = feature('hangs', {
        [hook]: () => {
          setTimeout(() => cancel.abort('enough'), 5)
          return new Promise(() => undefined)
        },
      })
      const { events, result } = await legOf([hangs], {}, { signal: cancel.signal })
      expect(result.status, hook).to.equal('aborted')
      expect(endOf(events)?.error?.class, hook).to.equal('canceled')
    }
  })

  it('tell no secret of the config where one throws', async () => {
    const secret = 'sk-sesame-0123456789'
    for (const hook of ['editToolCall', 'toolGate', 'editToolResult'] as const) {
      const leaks = feature('leaks', {
        configSchema: {
          type: 'object',
          properties: { key: { type: 'string', writeOnly: true } },
        },
        [hook]: () => {
          throw new Error(`the key ${secret} is refused`)
        },
      })
      const settings = { scripted: { script }, leaks: { key: secret } }
      const { events } = await legOf([leaks], { settings })
      expect(endOf(events)?.result.output, hook).to.include('is refused')
      expect(JSON.stringify(events), hook).not.to.include(secret)
    }
  })
})
