import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import { BOB, type OnSocket, onSocket } from './on-socket.ts'

const MESSAGES = [{ role: 'user', content: 'calculate' }]

/** How a request with an id of somebody else is answered, where that is not 404. */
const STATUSES: { readonly [what: string]: number } = {
  'go on with': 204,
  'stop in': 200,
  use: 400,
  'go on from': 400,
}

/** What ada has on the server. */
interface Owned {
  readonly conversation: string
  /** Conversations that bob is to begin under the same ids. */
  readonly second: string
  readonly third: string
  readonly run: string
  readonly approval: string
  readonly file: string
  readonly response: string
}

/** An answer without what it repeats of the request, and what is new in every answer. */
async function shown(answer: Response, id: string): Promise<object> {
  const text = (await answer.text())
    .replaceAll(id, '*')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<new id>')
    // A page of the AI SDK 5 gets the rest of an answer under an id with a digest of the one that it sent.
    .replaceAll(/(?<=<new id>\.)[\w-]{12}(?=\\?")/g, '<digest>')
    .replaceAll(/(?<="(?:(?:created|updated)At|timestamp)":)\d+/g, '<time>')
  const type = answer.headers.get('content-type')
  return { status: answer.status, type, text }
}

describe('ids of somebody else', () => {
  const storage = memoryStorage()
  let served: OnSocket
  let owned: Owned

  before(async () => {
    served = await onSocket({ storage })
    const parts = [{ type: 'text', text: 'calculate' }]
    const body = { id: 'talk', agent: 'careful', messages: [{ id: 'q', role: 'user', parts }] }
    const chat = await served.ask('/api/chat', body)
    const run = chat.headers.get('x-run-id') ?? ''
    await chat.text()
    const [approval] = await storage.approvals.list('ada', run)
    const file = { headers: { 'content-type': 'image/png' } }
    const uploaded = await served.ask('/api/conversations/talk/files', 'bytes', file)
    const { hash } = (await uploaded.json()) as { hash: string }
    for (const id of ['second-talk', 'third-talk']) {
      await served.ask('/api/conversations', { id, title: 'calculations' })
    }
    const asked = { model: 'quick', input: 'hi', store: true }
    const response = (await (await served.ask('/v1/responses', asked)).json()) as { id: string }
    owned = {
      conversation: 'talk',
      second: 'second-talk',
      third: 'third-talk',
      run,
      approval: approval?.id ?? '',
      file: hash,
      response: response.id,
    }
  })
  after(() => served.close())

  const approved = { approved: true }
  const none = '0'.repeat(64)
  for (const [what, of, method, path, body] of [
    ['read', 'conversation', 'GET', '/api/conversations/:id', undefined],
    ['change', 'conversation', 'PATCH', '/api/conversations/:id', { title: 'mine' }],
    ['delete', 'conversation', 'DELETE', '/api/conversations/:id', undefined],
    ['branch', 'conversation', 'POST', '/api/conversations/:id/branch', {}],
    ['upload to', 'conversation', 'POST', '/api/conversations/:id/files', 'x'],
    ['go on with', 'conversation', 'GET', '/api/chat/:id/stream', undefined],
    ['stop in', 'conversation', 'POST', '/api/chat/:id/stop', {}],
    ['read', 'run', 'GET', '/runs/:id/events', undefined],
    ['stop', 'run', 'POST', '/runs/:id/stop', {}],
    ['answer', 'approval', 'POST', '/approvals/:id', approved],
    ['read', 'file', 'GET', '/api/files/:id', undefined],
    ['read', 'response', 'GET', '/v1/responses/:id', undefined],
    ['cancel', 'response', 'POST', '/v1/responses/:id/cancel', {}],
    ['delete', 'response', 'DELETE', '/v1/responses/:id', undefined],
    ['go on from', 'response', 'POST', '/v1/responses', ':previous'],
    ['get the task of', 'run', 'GET', '/a2a/careful/tasks/:id', undefined],
    ['cancel the task of', 'run', 'POST', '/a2a/careful/tasks/:id:cancel', undefined],
    ['use', 'file', 'POST', '/v1/messages', ':file'],
  ] as const) {
    it(`are as if they were not there: ${what} (${of})`, async () => {
      const ask = async (id: string): Promise<object> => {
        const source = { type: 'url', url: `/api/files/${id}` }
        const user = [{ role: 'user', content: [{ type: 'image', source }] }]
        const given =
          body === ':previous'
            ? { model: 'quick', input: 'hi', previous_response_id: id }
            : body === ':file'
              ? { model: 'quick', max_tokens: 9, messages: user }
              : body
        const answer = await served.ask(path.replace(':id', id), given, {
          method,
          headers: { authorization: `Bearer ${BOB}`, 'content-type': 'image/png' },
        })
        return shown(answer, id)
      }
      const theirs = await ask(owned[of])
      const missing = await ask(of === 'file' ? none : `none-${owned[of].length}`)
      expect(theirs).to.deep.equal(missing)
      expect(theirs).to.include({ status: STATUSES[what] ?? 404 })
    })
  }

  const parts = [{ type: 'text', text: 'hi' }]
  const messages = [{ id: 'q', role: 'user', parts }]
  const agUi = { runId: 'r', messages: [{ id: 'm', role: 'user', content: 'hi' }] }
  const resume = (interruptId: string) => [
    { interruptId, status: 'resolved', payload: { approved: true } },
  ]
  const verdict = (approvalId: string) => [
    { type: 'data-approval', data: { approvalId, approved: true } },
  ]
  for (const [what, of, path, body] of [
    [
      'keep a response in',
      'conversation',
      '/v1/responses',
      (id) => ({ model: 'quick', input: 'hi', conversation: id }),
    ],
    ['chat under', 'conversation', '/api/chat', (id) => ({ id, agent: 'quick', messages })],
    ['run AG-UI under', 'second', '/ag-ui', (id) => ({ ...agUi, threadId: id })],
    ['create', 'third', '/api/conversations', (id) => ({ id, agent: 'quick' })],
    [
      'answer in a chat',
      'approval',
      '/api/chat',
      (id) => ({ id: 'mine', messages: [{ id: 'v', role: 'user', parts: verdict(id) }] }),
    ],
    [
      'answer by AG-UI',
      'approval',
      '/ag-ui',
      (id) => ({ ...agUi, threadId: 'mine', messages: [], resume: resume(id) }),
    ],
  ] satisfies readonly (readonly [string, keyof Owned, string, (id: string) => object])[]) {
    it(`are as if they were not there: ${what} (${of})`, async () => {
      const headers = { authorization: `Bearer ${BOB}` }
      await served.ask('/api/chat', { id: 'mine', agent: 'quick', messages }, { headers })
      const ask = async (id: string) => shown(await served.ask(path, body(id), { headers }), id)
      const theirs = await ask(owned[of])
      const missing = await ask(`${'n'.repeat(owned[of].length - 1)}0`)
      expect(theirs).to.deep.equal(missing)
      if (path === '/api/conversations') expect(theirs).to.include({ status: 201 })
      expect(JSON.stringify(theirs)).to.not.include('calculat')
    })
  }

  it('leave what is there as it was', async () => {
    expect(await storage.conversations.load('ada', 'talk')).to.not.have.property('title')
    expect(await storage.approvals.load('ada', owned.approval)).to.not.have.property('answer')
    expect(await storage.runs.load('ada', owned.run)).to.include({ status: 'suspended' })
    const { messages: kept } = (await (await served.ask('/api/conversations/talk')).json()) as {
      messages: object[]
    }
    expect(kept).to.have.length(2)
    expect(JSON.stringify(kept)).to.include('calculate').and.not.include('hi')
  })

  it('of one’s own are found: an approval is answered once, and never otherwise', async () => {
    const path = `/approvals/${owned.approval}`
    for (const body of [
      '{}',
      '{"approved": "true"}',
      '{"approved": 1}',
      '[]',
      'null',
      '{"__proto__": {"approved": true}}',
    ]) {
      expect((await served.ask(path, body)).status, body).to.equal(400)
    }
    expect((await served.ask(path, { approved: false, reason: 'no' })).status).to.equal(200)
    const again = (await (await served.ask(path, { approved: true })).json()) as {
      answer: { approved: boolean }
    }
    expect(again.answer.approved).to.equal(false)
    const events = await (await served.ask(`/runs/${owned.run}/events`)).text()
    expect(events).to.include('The call was not approved').and.not.include('"output":42')
  })
})

describe('Last-Event-ID', () => {
  let served: OnSocket
  let run: string
  before(async () => {
    served = await onSocket()
    const asked = { model: 'quick', messages: MESSAGES, store: true }
    const answer = await served.ask('/v1/chat/completions', asked)
    run = answer.headers.get('x-run-id') ?? ''
    await answer.text()
  })
  after(() => served.close())

  const events = (id: string) =>
    served.ask(`/runs/${run}/events`, undefined, { headers: { 'last-event-id': id } })

  it('is the number of an event, behind which the log goes on', async () => {
    const all = await (await served.ask(`/runs/${run}/events`)).text()
    expect(all).to.include('event: finish')
    expect(await (await events('-1')).text()).to.equal(all)
    const frames = all.split('\n\n')
    expect(await (await events('4')).text()).to.equal(frames.slice(5).join('\n\n'))
  })

  it('from the future brings nothing more, and ends', async () => {
    for (const id of ['99999', String(Number.MAX_SAFE_INTEGER)]) {
      const answer = await events(id)
      expect(answer.status).to.equal(200)
      expect(await answer.text()).to.equal('')
    }
  })

  it('that is no number is refused', async () => {
    for (const id of [
      '-2',
      '1.5',
      'NaN',
      'run-1:4',
      '1e99',
      '0x10z',
      '__proto__',
      '9007199254740993',
    ]) {
      const answer = await events(id)
      expect(answer.status, id).to.equal(400)
      const text = await answer.text()
      expect(text).to.include('/Last-Event-ID').and.to.include('must be a whole number')
    }
    const query = await served.ask(`/v1/responses/resp_${run}?stream=true&starting_after=-1`)
    expect(query.status).to.equal(400)
  })
})
