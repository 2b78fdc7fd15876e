import { expect } from 'chai'
import { explainRun } from '../../../src/agent/internal.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { addUsage, type RunEvent, type Usage } from '../../../src/plugin/events/index.ts'
import { type BraidworkServer, createServer, LOCAL } from '../../../src/server/index.ts'
import { agent, asks, teamOf } from '../../agent/children/team.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { chatBody, user } from '../routes/served.ts'
import { askerOf } from './asking.ts'

const OWNER = LOCAL.id

const write = tool('write', {
  getToolSchemas: () => [schema('write')],
  executeTool: () => 'written',
})

const SCRIPT = (input: number, first: object) => [
  { when: { step: 1 }, then: { usage: { input, output: 1 }, ...first } },
  { then: { usage: { input: input * 100, output: 10 }, text: 'Done.' } },
]

const calls = (...tool_calls: readonly object[]) => ({ tool_calls })
const member = (id: string, input: number) =>
  agent(id, SCRIPT(input, calls({ name: 'write', input: { path: id } })), {
    config: {
      settings: {
        scripted: { script: SCRIPT(input, calls({ name: 'write', input: { path: id } })) },
      },
      tool_policy: { write: 'ask' },
    },
  })

/** Two members with 1010 and 2020 tokens of input, and a leader with 303. */
const MEMBERS = [member('a', 10), member('b', 20)]
const OF_MEMBERS = { input: 1010 + 2020, output: 22 }
const TOTAL = { input: 1010 + 2020 + 303, output: 33 }

/** How the leader asks the members: by two calls, or by one of which both are a part. */
const LEADERS = {
  'two calls': agent('lead', SCRIPT(3, calls(asks('a', 'x'), asks('b', 'y'))), {
    delegates: ['a', 'b'],
  }),
  'one call for both': agent(
    'lead',
    SCRIPT(3, calls({ name: 'team_broadcast_lead', input: { prompt: 'x' } })),
    { team: { leader: 'lead', members: ['a', 'b'] } },
  ),
}

/** How each protocol tells its client the tokens of an answer. */
const TOLD: { readonly [protocol: string]: (text: string) => Usage } = {
  'ui-message-stream': numbers(/"usage":\{"input":(\d+),"output":(\d+)/g),
  'ag-ui': numbers(/"inputTokens":(\d+),"outputTokens":(\d+)/g),
  'chat-completions': numbers(/"prompt_tokens":(\d+),"completion_tokens":(\d+)/g),
  responses: numbers(/"input_tokens":(\d+),.*?"output_tokens":(\d+)/g),
  'anthropic-messages': numbers(/"input_tokens":(\d+),.*?"output_tokens":(\d+)/g),
}

/** The numbers of the last match in a text. */
function numbers(pattern: RegExp) {
  return (text: string): Usage => {
    const [, input, output] = [...text.matchAll(pattern)].at(-1) ?? []
    return { input: Number(input), output: Number(output) }
  }
}

describe('the usage of a run that waits for people', () => {
  let server: BraidworkServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  async function serve(lead: (typeof LEADERS)[keyof typeof LEADERS]) {
    const { host, runtime } = await teamOf({ agents: [lead, ...MEMBERS], plugins: [write] })
    const storage = memoryStorage()
    const made = await createServer({ host, runtime, storage, anonymous: LOCAL })
    server = made
    const asking = askerOf(made)
    const ask = async (path: string, body?: object) => {
      const answer = await asking(path, body)
      expect(answer.status, answer.text).to.equal(200)
      return answer
    }
    const { runId } = await ask(
      '/api/chat?sdk=6',
      chatBody('talk', [user('q', 'go')], { agent: 'lead' }),
    )
    const open = async () =>
      (await storage.approvals.list(OWNER, runId)).filter(({ answer }) => !answer)
    const events = (): Promise<readonly RunEvent[]> => storage.runs.events(OWNER, runId)
    /** Answers the first questions that are open, all at the same time. */
    const answer = async (most: number) => {
      const asked = (await open()).slice(0, most)
      await Promise.all(
        asked.map(({ id }) => ask(`/approvals/${id}`, { answer: { approve: true } })),
      )
      await ask(`/runs/${runId}/events`)
      return asked.length
    }
    const answers = async (): Promise<readonly Usage[]> =>
      JSON.parse((await ask('/api/conversations/talk')).text).messages.flatMap(
        ({ role, metadata }: { role: string; metadata: { usage: Usage } }) =>
          role === 'assistant' ? [metadata.usage] : [],
      )
    const history = async () => (await answers()).at(-1)
    return { storage, ask, runId, events, answer, answers, history }
  }

  const spentIn = (events: readonly RunEvent[]) =>
    events.reduce(
      (sum: Usage, event) => (event.type === 'finish' ? addUsage(sum, event.usage) : sum),
      {},
    )

  for (const [how, lead] of Object.entries(LEADERS)) {
    for (const most of [1, 2]) {
      it(`AL-22 is the same in events, history, explanation and replays: ${how}, ${most} answered at a time`, async () => {
        const { storage, ask, runId, events, answer, history } = await serve(lead)
        expect(await history()).to.deep.equal(spentIn(await events()))
        while ((await answer(most)) > 0)
          expect(await history()).to.deep.equal(spentIn(await events()))
        expect(spentIn(await events())).to.deep.equal(TOTAL)
        expect(await history()).to.deep.equal(TOTAL)
        const run = (await storage.runs.load(OWNER, runId)) ?? expect.fail('no run')
        expect(run.status).to.equal('done')
        const told = explainRun(run, await events())
        expect(told.usage).to.deep.equal(TOTAL)
        const used = told.steps.flatMap(({ calls: own }) => own.map(({ usage = {} }) => usage))
        expect(used.reduce(addUsage, {})).to.deep.equal(OF_MEMBERS)
        for (const [protocol, numbersIn] of Object.entries(TOLD)) {
          const { text } = await ask(`/runs/${runId}/events?protocol=${protocol}`)
          expect(numbersIn(text), protocol).to.deep.equal(TOTAL)
        }
        const { text } = await ask(`/api/chat/talk/stream?sdk=6&run=${runId}`)
        expect(TOLD['ui-message-stream']?.(text)).to.deep.equal(TOTAL)
      })
    }
  }

  it('AL-22 is kept with what was said where the run is stopped while it waits again', async () => {
    const { ask, runId, events, answer, history } = await serve(LEADERS['one call for both'])
    await answer(1)
    const before = spentIn(await events())
    await ask(`/runs/${runId}/stop`, {})
    expect(await history()).to.deep.equal(before)
  })

  it('AL-22 is kept where the conversation goes on while the run waits again', async () => {
    const { storage, ask, runId, events, answer, answers } = await serve(
      LEADERS['one call for both'],
    )
    await answer(1)
    const before = spentIn(await events())
    expect(before.input).to.equal(3 + 1010 + 20)
    await ask('/api/chat?sdk=6', chatBody('talk', [user('q2', 'never mind')], { agent: 'lead' }))
    expect((await answers())[0]).to.deep.equal(before)
    const run = (await storage.runs.load(OWNER, runId)) ?? expect.fail('no run')
    const { usage, steps } = explainRun(run, await events())
    expect(usage).to.deep.equal(before)
    expect(steps[0]?.calls.map((call) => call.usage?.input)).to.deep.equal([1010 + 20])
  })
})
