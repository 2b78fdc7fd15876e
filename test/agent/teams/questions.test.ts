import { expect } from 'chai'
import type { AgentSpec, RunOptions, Suspension } from '../../../src/agent/index.ts'
import type { Message, RunEvent, ToolCall } from '../../../src/plugin/index.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { agent, endsIn, read, speaker, teamOf } from '../children/team.ts'
import { boss, caller, calls } from './led-team.ts'

const ran: unknown[] = []
const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: ({ input }: ToolCall) => {
    ran.push(input)
    return 'written'
  },
})

/** A member that writes where it is allowed to. */
function writer(id: string): AgentSpec {
  const call = { name: 'write', input: { path: id } }
  const script = [
    { when: { step: 1 }, then: { tool_calls: [call] } },
    { then: { text: '{{result.write}}' } },
  ]
  const spec = agent(id, script)
  return { ...spec, config: { ...spec.config, tool_policy: { write: 'ask' } } }
}

const approve = (is: boolean) => ({ approve: is })

/** Runs the agent "boss", one leg after another, with an answer for each. */
async function legs(
  agents: readonly AgentSpec[],
  answers: readonly object[],
  more: Partial<RunOptions> = {},
) {
  const runs = new Set<string>()
  const hook = {
    name: 'watch',
    onEvent: (id: string, _: unknown, { runId }: RunEvent) => {
      runs.add(`${id} ${runId}`)
    },
  }
  await using team = await teamOf({ agents, plugins: [write], hooks: [hook] })
  const questions: unknown[] = []
  const said: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]
  let resume: RunOptions['resume']
  for (const value of [...answers, undefined]) {
    const resumed = resume ? { resume } : {}
    const stream = await team.runtime.run('boss', { ...more, messages: [...said], ...resumed })
    const ends = endsIn(await read(stream)).map(([, output]) => output)
    const result = await stream.result
    said.push(...result.messages)
    if (!result.suspension || !value)
      return { questions, asked: [...runs].map((run) => run.split(' ')[0]), result, ends }
    const suspension: Suspension = JSON.parse(JSON.stringify(result.suspension))
    questions.push(...suspension.approvals.map(({ input }) => Object(input).question))
    const [{ approvalId } = { approvalId: '' }] = suspension.approvals
    resume = { ...suspension, verdicts: [{ approvalId, approved: true, value }] }
  }
  throw new Error('not reached')
}

const asksFor = (id: string) => `The agent "${id}" asks to call "write" with {"path":"${id}"}.`

describe('a question of members of a team', () => {
  beforeEach(() => ran.splice(0))

  for (const fail_fast of [false, true]) {
    it(`AL-23 is asked at the root, one after another; fail_fast ${fail_fast}`, async () => {
      const agents = [
        boss([calls('broadcast', { prompt: 'x', fail_fast })], ['a', 'b', 'c']),
        writer('a'),
        speaker('b', 'I am b.'),
        writer('c'),
      ]
      const { questions, ends, asked, result } = await legs(agents, [approve(true), approve(false)])
      expect(questions).to.deep.equal([asksFor('a'), asksFor('c')])
      const [[first, second, third] = []] = ends as { readonly text: string }[][]
      expect(first).to.deep.equal({ agent: 'a', status: 'done', text: 'written' })
      expect(second).to.deep.equal({ agent: 'b', status: 'done', text: 'I am b.' })
      expect(third).to.include({ agent: 'c', status: 'done' })
      expect(ran).to.deep.equal([{ path: 'a' }])
      expect(result.status).to.equal('done')
      // Nobody is asked again: each member has one run.
      expect(asked).to.have.members(['boss', 'a', 'b', 'c'])
    })
  }

  it('AL-23 passes through the leader, which stays the leader', async () => {
    const failing = agent('a', [{ then: { fault: 'failed' } }])
    const leading = caller('b', [calls('multicast', { to: ['c'], prompt: 'x' })])
    const agents = [
      caller('boss', [calls('run', { prompt: 'go' })], { team: { members: ['a', 'b', 'c'] } }),
      failing,
      leading,
      writer('c'),
    ]
    const { questions, ends, asked } = await legs(agents, [approve(true)])
    expect(questions).to.have.length(1)
    expect(ran).to.deep.equal([{ path: 'c' }])
    const [led] = ends as { readonly leader: string; readonly replaced: object[] }[]
    expect(led).to.include({ leader: 'b', text: 'b is done.' })
    expect(led?.replaced).to.have.length(1)
    expect(asked).to.have.members(['boss', 'a', 'b', 'c'])
  })

  it('AL-23 is a structured result where nobody can be asked', async () => {
    const agents = [
      boss([calls('broadcast', { prompt: 'x' })], ['a', 'b']),
      writer('a'),
      speaker('b', 'I am b.'),
    ]
    const { ends, result } = await legs(agents, [], { canAsk: false })
    expect(result.status).to.equal('done')
    const [[first, second] = []] = ends as object[][]
    expect(first).to.include({ agent: 'a' })
    expect(second).to.deep.equal({ agent: 'b', status: 'done', text: 'I am b.' })
    expect(ran).to.deep.equal([])
  })
})
