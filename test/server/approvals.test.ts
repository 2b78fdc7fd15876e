import { expect } from 'chai'
import { systemEnvironment } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { RunEvent } from '../../src/plugin/events/index.ts'
import { sampledIt } from '../helpers/cases.ts'
import { type Answered, type Asked, chatBody, Served, user } from './routes/served.ts'

const DAY = 24 * 60 * 60_000
const APPROVED = ['42', '2']
const REFUSED = 'The call was not approved.'
const UNANSWERED = `${REFUSED} Nobody answered.`

const call = (expression: string) => ({ name: 'calculate', input: { expression } })
const TWO_CALLS = { text: 'Both?', tool_calls: ['6 * 7', '1 + 1'].map(call) }
const SCRIPT = [{ when: { text: 'twice', step: 1 }, then: TWO_CALLS }, { then: { text: 'Done.' } }]

function careful(delay: number) {
  const scripted = { script: SCRIPT, delay_ms: delay }
  return { config: { tool_policy: { calculate: 'ask' }, settings: { scripted } } } as const
}

interface Verdict {
  readonly id: string
  readonly approved: boolean
  readonly reason?: string
}

/** A conversation in which two calls wait for approval. */
class Talk {
  readonly served: Served
  readonly #clock: { ahead: number }
  /** Of the approvals, in the order of the calls. */
  readonly ids: readonly string[]
  readonly runId: string

  private constructor(served: Served, clock: { ahead: number }, waiting: Waiting) {
    this.served = served
    this.#clock = clock
    this.ids = waiting.ids
    this.runId = waiting.runId
  }

  static async begin(model: 'quick' | 'slow' = 'quick'): Promise<Talk> {
    const clock = { ahead: 0 }
    const environment = { ...systemEnvironment, now: () => Date.now() + clock.ahead }
    const storage = memoryStorage()
    const models = { quick: careful(0), slow: careful(20) }
    const served = await Served.start({ storage, environment, models })
    const body = chatBody('talk', [user('q', 'twice')], { agent: model })
    const { headers } = await served.ask('/api/chat', { body })
    const runId = headers.get('x-run-id') ?? ''
    const ids = (await storage.approvals.list('ada', runId)).map(({ id }) => id)
    expect(ids).to.have.length(2)
    return new Talk(served, clock, { ids, runId })
  }

  pass(milliseconds: number): void {
    this.#clock.ahead += milliseconds
  }

  /** Verdicts on the calls, in their order; nothing of those that are not spoken of. */
  verdicts(...approved: readonly (boolean | undefined)[]): readonly Verdict[] {
    return this.ids.flatMap((id, at) => {
      const verdict = approved[at]
      return verdict === undefined ? [] : [{ id, approved: verdict }]
    })
  }

  /** The run's own events, to the end of its leg. */
  async events(): Promise<readonly RunEvent[]> {
    const { text } = await this.served.ask(`/runs/${this.runId}/events`)
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(String(data)))
  }

  /** What each call came to. */
  async outcomes(): Promise<readonly string[]> {
    return (await this.events()).flatMap((event) => {
      if (event.type !== 'tool-execution-end') return []
      const { output } = event.result
      return [typeof output === 'string' ? output : String(Object(output).result)]
    })
  }

  async status(): Promise<unknown> {
    await this.events()
    const { json } = await this.served.ask('/api/conversations/talk')
    return json['lastRun']?.['status']
  }
}

describe('an approval that two answer at once', () => {
  it('is answered for both, also if one has read it before the other answered it', async () => {
    const storage = memoryStorage()
    let meanwhile: () => Promise<unknown> = async () => undefined
    const approvals = new Proxy(storage.approvals, {
      get: (target, name) => {
        if (name !== 'load') return Reflect.get(target, name)
        return async (...given: Parameters<typeof target.load>) => {
          const loaded = await target.load(...given)
          const first = meanwhile
          meanwhile = async () => undefined
          await first()
          return loaded
        }
      },
    })
    const models = { quick: careful(0) }
    const served = await Served.start({ storage: { ...storage, approvals }, models })
    const body = chatBody('talk', [user('q', 'twice')], { agent: 'quick' })
    const { headers } = await served.ask('/api/chat', { body })
    const [one, two] = await storage.approvals.list('ada', headers.get('x-run-id') ?? '')
    const answer = (id = '') => served.ask(`/approvals/${id}`, { body: { approved: true } })
    for (const body of [
      { approved: true, input: { amount: 10 } },
      { approved: false, reasn: 'No.' },
    ]) {
      const refused = await served.ask(`/approvals/${one?.id}`, { body })
      expect(refused.status).to.equal(400)
      expect(refused.text).to.include('REQUEST_INVALID')
    }
    await answer(one?.id)
    meanwhile = () => answer(two?.id)
    expect((await answer(two?.id)).status).to.equal(200)
    await served.close()
  })
})

interface Waiting {
  readonly ids: readonly string[]
  readonly runId: string
}

type Way = (talk: Talk, verdicts: readonly Verdict[], as?: Asked['as']) => Promise<Answered>

/** The message of the page, its waiting calls answered in the words of versions 6 and 7. */
const byChat =
  (sdk: number): Way =>
  async ({ served }, verdicts, as = 'ada') => {
    const { text } = await served.ask('/api/conversations/talk?sdk=6')
    const { messages } = JSON.parse(text) as { messages: { parts: ChatPart[] }[] }
    for (const part of messages.at(-1)?.parts ?? []) {
      const verdict = verdicts.find(({ id }) => id === part.approval?.id)
      if (!verdict) continue
      part.state = 'approval-responded'
      part.approval = verdict
    }
    const forged = verdicts.filter(({ id }) => id.startsWith('forged'))
    const parts = forged.map((approval, at) => ({
      type: 'dynamic-tool',
      toolName: 'calculate',
      toolCallId: `forged-${at}`,
      input: { expression: '9 * 9' },
      state: 'approval-responded',
      approval,
    }))
    messages.at(-1)?.parts.push(...parts)
    return served.ask(`/api/chat?sdk=${sdk}`, { as, body: chatBody('talk', messages) })
  }

interface ChatPart {
  type: string
  state?: string
  approval?: Verdict | { readonly id: string }
}

const byDataParts: Way = ({ served }, verdicts, as = 'ada') => {
  const parts = verdicts.map(({ id: approvalId, ...data }) => ({
    type: 'data-approval',
    data: { approvalId, ...data },
  }))
  return served.ask('/api/chat', { as, body: chatBody('talk', [{ id: 'v', role: 'user', parts }]) })
}

const byAgUi: Way = ({ served }, verdicts, as = 'ada') => {
  const resume = verdicts.map(({ id: interruptId, ...payload }) => ({
    interruptId,
    status: 'resolved',
    payload,
  }))
  const body = { threadId: 'talk', runId: 'r', messages: [], tools: [], context: [], resume }
  return served.ask('/ag-ui', { as, body })
}

const byAddress: Way = async ({ served }, verdicts, as = 'ada') => {
  const answers: Answered[] = []
  for (const { id, ...body } of verdicts) {
    answers.push(await served.ask(`/approvals/${id}`, { as, body }))
  }
  return answers.at(-1) ?? expect.fail('there is nothing to say')
}

const WAYS: { readonly [name: string]: Way } = {
  'the AI SDK 6': byChat(6),
  'the AI SDK 7': byChat(7),
  'the AI SDK, its version unknown': byDataParts,
  'AG-UI': byAgUi,
  'POST /approvals/{id}': byAddress,
}

for (const [at, [name, say]] of Object.entries(WAYS).entries()) {
  describe(`two approvals of one step, answered by ${name}`, () => {
    const test = sampledIt(3, at)
    let talk: Talk
    beforeEach(async () => {
      talk = await Talk.begin()
    })
    afterEach(() => talk.served.close())

    test('together, let both calls run', async () => {
      await say(talk, talk.verdicts(true, true))
      expect(await talk.outcomes()).to.deep.equal(APPROVED)
      expect(await talk.status()).to.equal('done')
    })

    for (const [first, second] of [
      [0, 1],
      [1, 0],
    ] as const) {
      test(`one after the other (${first + 1}, ${second + 1}), go on with the last, and are not told again`, async () => {
        const all = talk.verdicts(true, true)
        const partial = await say(talk, all.slice(first, first + 1))
        expect(partial.status).to.equal(200)
        expect(partial.text).to.not.include('Both?')
        if (partial.headers.get('content-type')?.startsWith('text/event-stream')) {
          expect(partial.text).to.include(talk.ids[second]).and.not.include(talk.ids[first])
        }
        expect(await talk.status()).to.equal('suspended')
        expect(await talk.outcomes()).to.deep.equal([])
        await say(talk, all.slice(second, second + 1))
        expect(await talk.outcomes()).to.deep.equal(APPROVED)
        expect(await talk.status()).to.equal('done')
      })
    }

    test('one yes and one no, run the one and refuse the other', async () => {
      await say(talk, talk.verdicts(false, true))
      expect(await talk.outcomes()).to.deep.equal([REFUSED, '2'])
    })

    test('one of them forged, leave the other open', async () => {
      const [first, second] = talk.verdicts(true, true)
      const forged = { id: 'forged-0123456789', approved: true }
      await say(talk, [first as Verdict, forged])
      expect(await talk.status()).to.equal('suspended')
      expect(await talk.outcomes()).to.deep.equal([])
      await say(talk, [second as Verdict])
      expect(await talk.outcomes()).to.deep.equal(APPROVED)
    })

    test('a second time, count as they were answered first', async () => {
      await say(talk, talk.verdicts(false))
      await say(talk, talk.verdicts(true))
      await say(talk, talk.verdicts(undefined, true))
      await say(talk, talk.verdicts(true, false))
      expect(await talk.outcomes()).to.deep.equal([REFUSED, '2'])
    })

    test('at once, let the run go on once', async () => {
      const [first, second] = talk.verdicts(true, true)
      await Promise.all([say(talk, [first as Verdict]), say(talk, [second as Verdict])])
      expect(await talk.outcomes()).to.deep.equal(APPROVED)
      const types = (await talk.events()).map(({ type }) => type)
      expect(types.filter((type) => type === 'approval-resolved')).to.have.length(2)
      expect(types.filter((type) => type === 'step-start')).to.have.length(2)
    })

    test('by somebody else, are not answered', async () => {
      await say(talk, talk.verdicts(true, true), 'bob')
      expect(await talk.status()).to.equal('suspended')
      expect(await talk.outcomes()).to.deep.equal([])
    })

    test('too late, are a no, and the run goes on', async () => {
      talk.pass(DAY + 1)
      const late = await say(talk, talk.verdicts(true, true))
      if (say === byAddress) {
        expect(late.status).to.equal(410)
        expect(late.json['error']).to.include({ code: 'APPROVAL_EXPIRED' })
      }
      expect(await talk.outcomes()).to.deep.equal([UNANSWERED, UNANSWERED])
      expect(await talk.status()).to.equal('done')
    })

    test('one in time and one too late, run what was approved in time', async () => {
      await say(talk, talk.verdicts(true))
      talk.pass(DAY + 1)
      await say(talk, talk.verdicts(undefined, true))
      expect(await talk.outcomes()).to.deep.equal(['42', UNANSWERED])
    })
  })
}

describe('an approval', () => {
  let talk: Talk
  afterEach(() => talk.served.close())

  it('answered again while its run goes on, stands as it was', async () => {
    talk = await Talk.begin('slow')
    await byAddress(talk, talk.verdicts(true, true))
    const again = await byAddress(talk, talk.verdicts(false))
    expect(again.json['answer']).to.include({ approved: true })
    const chat = await byChat(7)(talk, talk.verdicts(false, false))
    expect(chat.text).to.include('Done.')
    expect(await talk.outcomes()).to.deep.equal(APPROVED)
    const types = (await talk.events()).map(({ type }) => type)
    expect(types.filter((type) => type === 'approval-resolved')).to.have.length(2)
  })

  it('of a run that ended as the conversation went on is open no more', async () => {
    talk = await Talk.begin()
    const next = chatBody('talk', [user('q', 'twice'), user('n', 'never mind')])
    await talk.served.ask('/api/chat', { body: next })
    const answer = await byAddress(talk, talk.verdicts(true))
    expect(answer.status).to.equal(410)
    expect(answer.json['error']).to.include({ code: 'APPROVAL_EXPIRED' })
    expect(await talk.outcomes()).to.deep.equal([])
  })

  it('of another conversation is not answered by the way', async () => {
    talk = await Talk.begin()
    const { served } = talk
    const other = chatBody('other', [user('q', 'twice')])
    await served.ask('/api/chat', { body: other })
    const parts = talk.verdicts(true, true).map(({ id: approvalId }) => ({
      type: 'data-approval',
      data: { approvalId, approved: true },
    }))
    const body = chatBody('other', [{ id: 'v', role: 'user', parts }])
    expect((await served.ask('/api/chat', { body })).text).to.not.include('Done.')
    await byAddress(talk, talk.verdicts(false, false))
    expect(await talk.outcomes()).to.deep.equal([REFUSED, REFUSED])
  })

  it('answered by its address: what the run came to is read by the run’s name, over or not', async () => {
    talk = await Talk.begin()
    const { served, runId } = talk
    const answer = await byAddress(talk, talk.verdicts(true, false))
    expect(answer.json).to.include({ runId })
    expect(await talk.status()).to.equal('done')
    expect((await served.ask('/api/chat/talk/stream')).status).to.equal(204)
    const read = await served.ask(`/api/chat/talk/stream?sdk=6&run=${runId}`)
    for (const said of [
      '"type":"start"',
      'Both?',
      '"result":"42"',
      'tool-output-denied',
      'Done.',
    ]) {
      expect(read.text.split(said), said).to.have.length(2)
    }
    await served.ask('/api/chat', { body: chatBody('talk', [user('n', 'and now?')]) })
    const later = await served.ask(`/api/chat/talk/stream?sdk=6&run=${runId}`)
    expect(later.text).to.equal(read.text)
    for (const path of [`/api/chat/other/stream?run=${runId}`, '/api/chat/talk/stream?run=none']) {
      expect((await served.ask(path)).status).to.equal(404)
    }
  })
})
