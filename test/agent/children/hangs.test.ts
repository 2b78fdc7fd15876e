import { expect } from 'chai'
import { type AgentSpec, systemEnvironment } from '../../../src/agent/index.ts'
import { eventProvider, feature, schema, tool } from '../../helpers/plugins.ts'
import { boss, calls } from '../teams/led-team.ts'
import { agent, asks, endsIn, leader, read, speaker, type Team, teamOf } from './team.ts'

const MODELS = [{ id: 'mute', provider_id: 'mute', upstream_model: 'mute' }]
const HALF = {
  when: { equals: 'x', step: 1 },
  then: { text: 'Half of it.', tool_calls: [{ name: 'no', input: {} }] },
}
const never = new Promise<never>(() => undefined)

interface Hang extends Partial<Team> {
  /** What the agent "a" does when it is asked "x". */
  readonly script?: readonly { readonly then: object }[]
  readonly spec?: Partial<AgentSpec>
  /** What it has said before. */
  readonly text?: string
}

/** The ways to hang. Each says when it does. */
const WAYS: { readonly [way: string]: (hangs: () => void) => Hang } = {
  'whose model is silent': (hangs) => ({
    script: [HALF, { when: { equals: 'x' }, then: { fault: 'stall' } }],
    hooks: [
      {
        name: 'watch',
        onEvent: (_, _c, event) => event.type === 'step-start' && event.step === 2 && hangs(),
      },
    ],
    text: 'Half of it.',
  }),
  'whose model is silent in the middle, and does not hear that it is cancelled': (hangs) => ({
    spec: { model_id: 'mute' },
    models: MODELS,
    plugins: [
      eventProvider([], {
        name: 'mute',
        tags: ['text', 'tools'],
        stream: async function* () {
          yield { type: 'text-start', id: '1' }
          yield { type: 'text-delta', id: '1', delta: 'Half of it.' }
          setImmediate(hangs)
          await never
        },
      }),
    ],
    text: 'Half of it.',
  }),
  'whose tool never ends': (hangs) => ({
    script: [
      HALF,
      { when: { equals: 'x', step: 2 }, then: { tool_calls: [{ name: 'hang', input: {} }] } },
    ],
    plugins: [
      tool('hang', {
        getToolSchemas: () => [schema('hang')],
        executeTool: () => {
          hangs()
          return never
        },
      }),
    ],
    text: 'Half of it.',
  }),
  'whose feature never lets it end': (hangs) => ({
    script: [HALF],
    spec: { plugin_ids: ['stays'] },
    plugins: [
      feature('stays', {
        defaultEnabled: false,
        stepEnd: () => hangs(),
        onDeactivate: () => never,
      }),
    ],
    text: 'Half of it.',
  }),
  'whose run never begins': (hangs) => ({
    script: [{ then: { text: 'Never said.' } }],
    hooks: [
      {
        name: 'stays',
        onBeforeRun: (id: string) => {
          if (id !== 'a') return undefined
          hangs()
          return never
        },
      },
    ],
  }),
}

/** A clock by which the time of the first child is over as soon as it hangs. */
function clockOf() {
  let hangs: () => void = () => undefined
  const hung = new Promise<void>((resolve) => {
    hangs = resolve
  })
  const slept: number[] = []
  const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    if (slept.push(milliseconds) === 1) return hung
    // The second of grace is short for those that do not end.
    return systemEnvironment.sleep(milliseconds === 1000 ? 50 : milliseconds, signal)
  }
  return { hangs, slept, environment: { ...systemEnvironment, sleep } }
}

/** What the run of an agent is told of the agent "a" that it asks. */
async function toldBy(id: string, agents: readonly AgentSpec[], made: ReturnType<typeof hangOf>) {
  const { hang, clock } = made
  await using team = await teamOf({ ...hang, agents })
  const { environment } = clock
  const stream = await team.runtime.run(id, { messages: 'go', environment })
  const events = await read(stream)
  expect((await stream.result).status).to.equal('done')
  expect(clock.slept[0]).to.equal(300_000)
  return endsIn(events).map(([, output]) => output)
}

function hangOf(way: keyof typeof WAYS) {
  const clock = clockOf()
  const {
    script = [],
    spec: more,
    text,
    ...hang
  } = (WAYS[way] as (hangs: () => void) => Hang)(clock.hangs)
  const told = {
    agent: 'a',
    status: 'timed_out',
    message: 'It did not end within 300 seconds.',
    ...(text === undefined ? {} : { text }),
  }
  return { clock, script, spec: agent('a', script, more), hang, told }
}

for (const way of Object.keys(WAYS)) {
  describe(`an agent ${way}`, () => {
    const done = (id: string) => ({ agent: id, status: 'done', text: `I am ${id}.` })
    const all = calls('broadcast', { prompt: 'x' })

    it('AL-20 is, as a delegate, a structured result with what it has said', async () => {
      const made = hangOf(way)
      const root = leader([asks('a', 'x'), asks('b', 'x')], { delegates: ['a', 'b'] })
      const told = await toldBy('leader', [root, made.spec, speaker('b', 'I am b.')], made)
      expect(told).to.have.deep.members([made.told, 'I am b.'])
    })

    it('AL-20 is, as a member, a structured result beside those of the others', async () => {
      const made = hangOf(way)
      const agents = [boss([all], ['a', 'b']), made.spec, speaker('b', 'I am b.')]
      const [told] = await toldBy('boss', agents, made)
      expect(told).to.deep.equal([made.told, done('b')])
    })

    it('AL-20 makes way, as a leader, for the next member', async () => {
      const made = hangOf(way)
      const run = { name: 'team_run_root', input: { prompt: 'x' } }
      const root = {
        ...leader([run], { team: { leader: 'a', members: ['a', 'b'] } }),
        id: 'root',
      }
      const [told] = await toldBy('root', [root, made.spec, speaker('b', 'I am b.')], made)
      expect(told).to.deep.equal({ leader: 'b', text: 'I am b.', replaced: [made.told] })
    })
  })
}

describe('a subagent that hangs', () => {
  for (const way of ['whose model is silent', 'whose tool never ends']) {
    it(`AL-20 is a structured result beside the others, ${way}`, async () => {
      const made = hangOf(way)
      const spawn = { name: 'agent_spawn', input: { tasks: [{ prompt: 'x' }, { prompt: 'y' }] } }
      const script = [
        { when: { equals: 'go', step: 1 }, then: { tool_calls: [spawn] } },
        { when: { equals: 'go' }, then: { text: 'All are back.' } },
        { when: { equals: 'y' }, then: { text: 'I am y.' } },
        ...made.script,
      ]
      const agents = [agent('a', script, { subagents: true })]
      const [told] = await toldBy('a', agents, made)
      expect(told).to.deep.equal([made.told, { status: 'done', text: 'I am y.' }])
    })
  }
})
