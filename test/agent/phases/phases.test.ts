import { expect } from 'chai'
import {
  type PendingApproval,
  type RunOptions,
  type RunResult,
  run,
} from '../../../src/agent/index.ts'
import { NO_PROGRESS } from '../../../src/agent/stop/progress.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import type { RunSnapshot } from '../../../src/plugin/run-hooks.ts'
import type { GatedCall } from '../../../src/plugin/tools.ts'
import { collect, scriptedHost } from '../../helpers/hosts.ts'
import { feature, schema, tool } from '../../helpers/plugins.ts'

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>

const PHASES = [
  'runStart',
  'stepStart',
  'beforeInference',
  'afterInference',
  'beforeToolExecute',
  'afterToolExecute',
  'stepEnd',
  'runEnd',
] as const

const SCRIPT = [
  { when: { step: 1 }, then: { tool_calls: [{ name: 'look', input: { at: 'a' } }] } },
  { then: { text: 'Done.' } },
]

describe('the phases of a run', () => {
  let log: string[]
  beforeEach(() => {
    log = []
  })

  const looking = () =>
    tool('looking', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => {
        log.push('look')
        return 'seen'
      },
    })

  interface Ran {
    readonly events: readonly RunEvent[]
    readonly result: RunResult
  }

  async function runWith(
    features: readonly object[],
    options: Partial<RunOptions> = {},
  ): Promise<Ran> {
    await using host = await scriptedHost([looking(), ...features])
    const config = { settings: { scripted: { script: SCRIPT } } }
    const stream = run(host, { config, messages: 'go', ...options })
    return { events: await collect(stream), result: await stream.result }
  }

  const all = <T extends RunEvent['type']>({ events }: Ran, type: T): readonly Of<T>[] =>
    events.filter((event): event is Of<T> => event.type === type)
  const valuesIn = (ran: Ran) => all(ran, 'run-state').map(({ values }) => values)
  /** A feature that writes down each of its hooks. */
  const recorder = (name: string, snapshots: RunSnapshot[] = []) => {
    const hooks = [...PHASES, 'onActivate', 'onDeactivate'].map((hook) => [
      hook,
      (snapshot: RunSnapshot) => {
        log.push(`${name}.${hook}`)
        snapshots.push(snapshot)
      },
    ])
    return feature(name, Object.fromEntries(hooks))
  }

  it('AW-60 are reached in order in each step, around the calls', async () => {
    const gate = { toolGate: () => void log.push('a.toolGate') }
    await runWith([{ ...recorder('a'), ...gate }])
    expect(log).to.deep.equal([
      'a.onActivate',
      'a.runStart',
      'a.stepStart',
      'a.beforeInference',
      'a.afterInference',
      'a.toolGate',
      'a.beforeToolExecute',
      'look',
      'a.afterToolExecute',
      'a.stepEnd',
      'a.stepStart',
      'a.beforeInference',
      'a.afterInference',
      'a.stepEnd',
      'a.runEnd',
      'a.onDeactivate',
    ])
  })

  it('AW-60 tell their hooks what the run has at that place', async () => {
    const snapshots: RunSnapshot[] = []
    await runWith([recorder('a', snapshots)], { agent: { id: 'helper' } })
    const of = (phase: string) => snapshots.find((one) => one.phase === phase)
    expect(of('run_start')).to.deep.include({ step: 0, agent: 'helper', state: {} })
    expect(of('after_inference')).to.have.nested.property('answer[0].role', 'assistant')
    expect(of('before_tool_execute')).to.have.nested.property('calls[0].name', 'look')
    expect(of('after_tool_execute')).to.have.nested.property('results[0].output', 'seen')
    expect(snapshots.findLast(({ phase }) => phase === 'run_end')).to.deep.include({ step: 2 })
    expect(snapshots.find(({ termination }) => termination)?.termination).to.deep.equal({
      reason: 'natural_end',
    })
  })

  it('AW-05 ask the features that the agent names first, in its order', async () => {
    const agent = { id: 'helper', plugin_ids: ['c', 'b'] }
    await runWith([recorder('a'), recorder('b'), recorder('c')], { agent })
    const first = log.filter((line) => line.endsWith('runStart'))
    expect(first).to.deep.equal(['c.runStart', 'b.runStart', 'a.runStart'])
  })

  it('AW-68 begin with onActivate and end with onDeactivate in reverse order, on every path', async () => {
    const failing = feature('failing', {
      beforeInference: () => {
        throw new Error('no')
      },
    })
    const { result } = await runWith([recorder('a'), recorder('b'), failing])
    expect(result.status).to.equal('failed')
    const edges = log.filter((line) => /Activate|Deactivate/.test(line))
    expect(edges).to.deep.equal([
      'a.onActivate',
      'b.onActivate',
      'b.onDeactivate',
      'a.onDeactivate',
    ])
  })

  it('AW-68 refuse what onActivate and onDeactivate cannot do, and say which', async () => {
    const ending = feature('ending', { onActivate: () => ({ end: { detail: 'enough' } }) })
    const refused = (await runWith([ending])).result
    expect(refused.error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'ending' })
    expect(refused.error?.message).to.include('"onActivate" of the feature "ending"')
    const late = feature('late', { onDeactivate: () => ({ state: { a: 1 } }) })
    const told = await runWith([late])
    expect(told.result.status).to.equal('done')
    expect(told.result.warnings.join()).to.include('answered with "state"')
    const other = feature('other', { onActivate: () => ({ size: 2 }) })
    expect((await runWith([other])).result.status).to.equal('done')
  })

  it('AW-68 end with onDeactivate when the run is cancelled', async () => {
    const cancel = new AbortController()
    const cancelling = feature('cancelling', { beforeInference: () => cancel.abort('enough') })
    const { result } = await runWith([recorder('a'), cancelling], { signal: cancel.signal })
    expect(result).to.include({ status: 'aborted' })
    expect(result.termination).to.deep.equal({ reason: 'cancelled' })
    expect(log.at(-1)).to.equal('a.onDeactivate')
    expect(log).not.to.include('a.runEnd')
  })

  const broken = feature('broken', {
    onDeactivate: () => {
      throw new Error('It stays open.')
    },
  })

  it('AW-68 tell that onDeactivate failed, as an event before the ending and as a warning', async () => {
    const ran = await runWith([recorder('a'), broken])
    const [fault] = all(ran, 'hook-fault')
    expect(fault).to.include({ phase: 'run_end', plugin: 'broken', key: 'onDeactivate' })
    expect(fault?.message).to.equal(
      'Hook "onDeactivate" of feature "broken" failed: It stays open.',
    )
    expect(ran.events.at(-1)?.type).to.equal('finish')
    expect(ran.result.status).to.equal('done')
    expect(ran.result.warnings).to.deep.equal([fault?.message])
    expect(log.at(-1)).to.equal('a.onDeactivate')
  })

  it('AW-68 tell it of a cancelled run after its ending, as a warning', async () => {
    const cancel = new AbortController()
    const cancelling = feature('cancelling', { beforeInference: () => cancel.abort('enough') })
    const { events, result } = await runWith([broken, cancelling], { signal: cancel.signal })
    expect(events.at(-1)?.type).to.equal('abort')
    expect(events.map(({ type }) => type)).not.to.include('hook-fault')
    expect(result.warnings).to.deep.equal([
      'Hook "onDeactivate" of feature "broken" failed: It stays open.',
    ])
  })

  it('name the feature and the hook of an answer that is none', async () => {
    const { result } = await runWith([feature('talking', { stepEnd: () => 'x' })])
    expect(result.error).to.include({
      code: 'HOOK_ANSWER_INVALID',
      plugin: 'talking',
      hook: 'stepEnd',
      message:
        'The hook "stepEnd" of the feature "talking" answered neither an object nor nothing.',
    })
    const { result: typo } = await runWith([feature('typing', { stepEnd: () => ({ stat: {} }) })])
    expect(typo.error).to.include({
      code: 'HOOK_ANSWER_INVALID',
      plugin: 'typing',
      hook: 'stepEnd',
    })
    expect(typo.error?.message).to.match(/^The hook "stepEnd" of the feature "typing" gave/)
  })

  const counter = (name: string, more: object = {}) =>
    feature(name, {
      stateKeys: { [name]: { merge: 'sum', initial: 0 } },
      stepStart: () => ({ state: { [name]: 1 } }),
      ...more,
    })

  it('AW-61 merge the updates of a phase into one commit', async () => {
    const list = feature('list', {
      stateKeys: {
        seen: { merge: 'append', initial: [] },
        facts: { merge: 'assign', initial: {} },
      },
      stepStart: ({ step }: RunSnapshot) => ({
        state: { seen: [step], facts: { [`s${step}`]: true } },
      }),
    })
    const ran = await runWith([counter('count'), list])
    const commits = all(ran, 'run-state').flatMap(({ commit, values }) =>
      commit ? [{ commit, values }] : [],
    )
    expect(commits).to.deep.equal([
      {
        commit: { phase: 'step_start', plugins: ['count', 'list'] },
        values: { count: 1, seen: [1], facts: { s1: true } },
      },
      {
        commit: { phase: 'step_start', plugins: ['count', 'list'] },
        values: { count: 2, seen: [1, 2], facts: { s1: true, s2: true } },
      },
    ])
  })

  it('AW-61 show all hooks of a phase the same state, and run those of a conflict again', async () => {
    const seen: unknown[] = []
    const writer = (name: string, more: object = {}) =>
      feature(name, {
        runStart: ({ state }: RunSnapshot) => {
          seen.push([name, state['turn']])
          return { state: { turn: `${String(state['turn'])}${name}` } }
        },
        ...more,
      })
    const stateKeys = { turn: { initial: '', shared: true } }
    const ran = await runWith([writer('a', { stateKeys }), writer('b'), writer('c')])
    expect(seen).to.deep.equal([
      ['a', ''],
      ['b', ''],
      ['c', ''],
      ['b', 'a'],
      ['c', 'a'],
      ['c', 'ab'],
    ])
    expect(valuesIn(ran).at(-1)).to.deep.equal({ turn: 'abc' })
  })

  it('AW-61 refuse a key that nobody declares, that is not shared, or a value that does not fit', async () => {
    const writing = (state: object, more: object = {}) =>
      feature('writing', { runStart: () => ({ state }), ...more })
    const cases = [
      [writing({ nobody: 1 }), 'no feature declares the state key "nobody"'],
      [writing({ count: 1 }), 'the state key "count" belongs to "count", which does not share it'],
      [
        writing({ own: 'x' }, { stateKeys: { own: { merge: 'sum', initial: 0 } } }),
        '"own" cannot be merged',
      ],
      [
        writing({ own: 'x'.repeat(300_000) }, { stateKeys: { own: { initial: '' } } }),
        'larger than',
      ],
    ] as const
    for (const [plugin, text] of cases) {
      const { result } = await runWith([counter('count'), plugin])
      expect(result.error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'writing' })
      expect(result.error?.message).to.include(text)
    }
  })

  it('AW-61 keep the state over a wait for an approval', async () => {
    const config = {
      settings: { scripted: { script: SCRIPT } },
      tool_policy: { look: 'ask' as const },
    }
    const { result } = await runWith([counter('count'), recorder('b')], { config })
    const { suspension } = result
    if (!suspension) return expect.fail('the run does not wait')
    expect(log.at(-1)).to.equal('b.onDeactivate')
    expect(log).not.to.include('b.runEnd')
    log = []
    const verdicts = suspension.approvals.map(({ approvalId }) => ({ approvalId, approved: true }))
    const user = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const ran = await runWith([counter('count'), recorder('a')], {
      config,
      messages: [user, ...result.messages],
      resume: { ...suspension, verdicts },
    })
    expect(valuesIn(ran).at(-1)).to.deep.equal({ count: 2 })
    expect(log).to.include('a.runEnd')
    expect(log.slice(0, 4)).to.deep.equal([
      'a.onActivate',
      'look',
      'a.afterToolExecute',
      'a.stepEnd',
    ])
  })

  it('AW-61 keep a value that was set to null', async () => {
    const kept = { values: { note: null }, progress: NO_PROGRESS }
    const suspension = { runId: 'r', seq: 9, steps: 1, approvals: [], verdicts: [], kept }
    const seen: unknown[] = []
    const noting = feature('noting', {
      stateKeys: { note: { initial: 'first' } },
      stepStart: ({ state }: RunSnapshot) => {
        seen.push(state['note'])
      },
    })
    await runWith([noting], { resume: suspension })
    expect(seen[0]).to.equal(null)
  })

  it('AW-09 refuse two features that declare the same key', async () => {
    const twice = [
      { stateKeys: { own: { initial: 1 } } },
      { actions: ['own'] },
      { effects: ['own'] },
      { sections: { own: {} } },
    ]
    for (const declared of twice) {
      const { result } = await runWith([feature('a', declared), feature('b', declared)])
      expect(result.error).to.include({ code: 'ENVIRONMENT_BUILD', plugin: 'b' })
      expect(result.error?.message).to.include('"own"').and.include('"a" declares it too')
    }
  })

  it('AW-07 refuse a declaration that no run can use', async () => {
    const wrong = [
      { initial: 'x', merge: 'sum' },
      { merge: 'append' },
      { initial: 1, merge: 'max' },
    ]
    for (const key of wrong) {
      const { result } = await runWith([feature('a', { stateKeys: { key } })])
      expect(result.error).to.include({ code: 'ENVIRONMENT_BUILD', plugin: 'a' })
    }
  })

  it('AW-07 name the merge rule that an initial value does not fit', async () => {
    const faults = [
      [
        { merge: 'assign', initial: null },
        '"initial" must be of type object, since "merge" is "assign"',
      ],
      [{ merge: 'sum', initial: 'x' }, '"initial" must be of type number, since "merge" is "sum"'],
    ] as const
    for (const [key, said] of faults) {
      const { result } = await runWith([feature('a', { stateKeys: { key } })])
      expect(result.error?.message).to.include(`"key" in "stateKeys": ${said}`)
      const python = { stateKeys: { key }, [Symbol.for('braidwork.python')]: {} }
      const { result: other } = await runWith([feature('a', python)])
      expect(other.error?.message).to.include(`"key" in "state_keys": ${said}`)
    }
  })

  const scheduling = (handleAction: (...args: never[]) => unknown, more: object = {}) =>
    feature('scheduling', {
      actions: ['again'],
      runStart: () => ({ actions: [{ key: 'again', input: 1 }] }),
      handleAction,
      ...more,
    })

  it('AW-62 run scheduled actions until none is left', async () => {
    const inputs: number[] = []
    await runWith([
      scheduling((_key: string, input: number) => {
        inputs.push(input)
        return input < 16 ? { actions: [{ key: 'again', input: input + 1 }] } : undefined
      }),
    ])
    expect(inputs).to.deep.equal(Array.from({ length: 16 }, (_, index) => index + 1))
  })

  it('AW-62 end a run whose actions schedule actions for ever', async () => {
    const { result } = await runWith([scheduling(() => ({ actions: [{ key: 'again' }] }))])
    expect(result.error).to.include({ code: 'PHASE_LOOP_EXCEEDED' })
    expect(result.error?.message).to.include('"again"')
  })

  it('AW-62 dispatch effects after the commit of their phase', async () => {
    const effects = feature('effects', {
      effects: ['note'],
      handleEffect: (key: string, input: unknown, { state }: RunSnapshot) => {
        log.push(`${key} ${String(input)} ${JSON.stringify(state)}`)
      },
    })
    const noting = counter('count', {
      stepStart: () => ({ state: { count: 1 }, effects: [{ key: 'note', input: 'x' }] }),
    })
    await runWith([effects, noting])
    expect(log[0]).to.equal('note x {"count":1}')
  })

  it('AW-62 refuse an unknown key when it is submitted', async () => {
    for (const name of ['actions', 'effects']) {
      const unknown = feature('unknown', { runStart: () => ({ [name]: [{ key: 'nowhere' }] }) })
      const { result } = await runWith([unknown])
      expect(result.error).to.include({ code: 'HOOK_ANSWER_INVALID', plugin: 'unknown' })
      expect(result.error?.message).to.include(`no feature has "nowhere" in its "${name}"`)
    }
  })

  it('AW-69 record an action or an effect that fails, and go on', async () => {
    const fails = () => {
      throw new Error('broken')
    }
    const ran = await runWith([
      scheduling(fails, {
        effects: ['note'],
        runStart: () => ({ actions: [{ key: 'again' }], effects: [{ key: 'note' }] }),
        handleEffect: fails,
      }),
    ])
    expect(ran.result.status).to.equal('done')
    const faults = all(ran, 'hook-fault').map(({ phase, plugin, key, message }) => ({
      phase,
      plugin,
      key,
      message,
    }))
    expect(faults).to.deep.equal(
      ['note', 'again'].map((key) => ({
        phase: 'run_start',
        plugin: 'scheduling',
        key,
        message: `Hook "${key === 'note' ? 'handleEffect' : 'handleAction'}" of feature "scheduling" failed: broken`,
      })),
    )
  })

  it('AW-69 end the run as an error where a hook of a phase throws', async () => {
    for (const hook of PHASES) {
      const throwing = feature('throwing', {
        [hook]: () => {
          throw new Error('no')
        },
      })
      const { result } = await runWith([throwing])
      expect(result, hook).to.include({ status: 'failed' })
      expect(result.error).to.include({ plugin: 'throwing', hook, code: 'HOOK_FAILED' })
      expect(result.termination).to.deep.equal({ reason: 'error' })
    }
  })

  it('AW-69 end the run as an error where a hook of a phase hangs beyond limits.hook', async () => {
    const config = { settings: { scripted: { script: SCRIPT } }, limits: { hook: 0.01 } }
    for (const hook of PHASES) {
      const hanging = feature('hanging', { [hook]: () => new Promise(() => undefined) })
      const { result } = await runWith([hanging], { config })
      expect(result, hook).to.include({ status: 'failed' })
      expect(result.error).to.include({ plugin: 'hanging', hook, code: 'TIMEOUT' })
      expect(result.termination).to.deep.equal({ reason: 'error' })
    }
  })

  it('AW-67 let a feature end the run, or block it, with its reason', async () => {
    for (const hook of PHASES.slice(0, -1)) {
      const ending = feature('ending', { [hook]: () => ({ end: { detail: 'Enough.' } }) })
      const { result } = await runWith([ending])
      expect(result.status, hook).to.equal('done')
      expect(result.termination).to.deep.equal({
        reason: 'behavior_requested',
        plugin: 'ending',
        detail: 'Enough.',
      })
    }
    const done = feature('done', { runStart: () => ({ end: { detail: 'Done.' } }) })
    const blocking = feature('blocking', {
      runStart: () => ({ end: { detail: 'No.', blocked: true } }),
    })
    const { result } = await runWith([done, blocking])
    expect(result.termination).to.include({ reason: 'blocked', plugin: 'blocking' })
  })

  it('AW-67 run no call of an answer after which a feature ends the run', async () => {
    const ending = feature('ending', { afterInference: () => ({ end: { detail: 'Enough.' } }) })
    const ran = await runWith([ending])
    expect(log).to.deep.equal([])
    expect(all(ran, 'tool-execution-end')).to.have.nested.property('[0].error.class', 'canceled')
  })

  it('AW-65 let only the listed features act; keys and handlers of the others stay', async () => {
    const handling = feature('handling', {
      stateKeys: { kept: { initial: 0, shared: true } },
      actions: ['set'],
      handleAction: (_key: string, input: unknown) => ({ state: { kept: input } }),
      runStart: () => {
        log.push('handling')
      },
      editMessages: (messages: unknown) => {
        log.push('transform')
        return messages
      },
      toolGate: () => ({ block: 'no' }),
    })
    const acting = feature('acting', { runStart: () => ({ actions: [{ key: 'set', input: 7 }] }) })
    const ran = await runWith([handling, acting], { active: ['acting', 'looking'] })
    expect(log).to.deep.equal(['look'])
    expect(valuesIn(ran).at(-1)).to.deep.equal({ kept: 7 })
    const none = await runWith([acting, handling], { active: [] })
    expect(all(none, 'tool-execution-end')[0]?.error).to.include({ class: 'unknown_tool' })
  })

  it('AW-61 show gates the state and the sections of their feature, also after an approval', async () => {
    const seen: (readonly unknown[])[] = []
    const gate = feature('gate', {
      sections: { limit: { type: 'object' } },
      stateKeys: { asked: { merge: 'append', initial: [] } },
      afterInference: ({ calls }: RunSnapshot) => ({
        state: { asked: calls?.map(({ callId }) => callId) },
      }),
      toolGate: ({ run: at }: GatedCall) => {
        seen.push([at.phase, at.step, at.agent, at.state['asked'], at.sections])
        return { suspend: 'A person decides.' }
      },
    })
    await using host = await scriptedHost([looking(), gate])
    const sections = { limit: { most: 1 }, other: {} }
    const agent = { id: 'helper', sections }
    const config = { settings: { scripted: { script: SCRIPT } } }
    const user = { role: 'user', parts: [{ type: 'text', text: 'go' }] } as const
    const first = await run(host, { config, agent, messages: [user] }).result
    const { approvals } = first.suspension!
    const [{ approvalId, callId }] = approvals as [PendingApproval]
    const resume = { ...first.suspension!, verdicts: [{ approvalId, approved: true }] }
    await run(host, { config, agent, messages: [user, ...first.messages], resume }).result
    const one = ['tool_gate', 1, 'helper', [callId], { limit: { most: 1 } }]
    expect(seen).to.deep.equal([one, one])
    expect(log).to.deep.equal(['look'])
  })
})
