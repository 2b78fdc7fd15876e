import { expect } from 'chai'
import scripted from '../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Feature } from '../../../src/plugin/index.ts'
import calculator from '../../../tools/calculator/index.ts'
import clock from '../../../tools/clock/index.ts'
import { chatBody, Served, user } from './served.ts'

interface Ended {
  readonly messages: readonly { readonly id: string }[]
  readonly endings?: readonly object[]
}

/** Breaks off in the middle. */
const CUT = { type: 'cut', after_chunks: 2 }

describe('the addresses of conversations', () => {
  let served: Served
  beforeEach(async () => {
    served = await Served.start()
  })
  afterEach(() => served.close())

  const say = (id: string, text: string, at = 'u1') =>
    served.ask('/api/chat', { body: chatBody(id, [user(at, text)]) })

  it('list those of whoever asks, newest first, page by page', async () => {
    for (const id of ['one', 'two', 'three']) await say(id, 'hello')
    const idsIn = async (query: string) => {
      const { text } = await served.ask(`/api/conversations${query}`)
      const { conversations, next } = JSON.parse(text) as Page
      return { ids: conversations.map(({ id }) => id), next }
    }
    const first = await idsIn('?limit=2')
    expect(first.ids).to.deep.equal(['three', 'two'])
    expect(await idsIn(`?limit=2&before=${first.next}`)).to.deep.equal({
      ids: ['one'],
      next: undefined,
    })
    const { json } = await served.ask('/api/conversations', { as: 'bob' })
    expect(json['conversations']).to.deep.equal([])
  })

  it('list none whose first run did not start', async () => {
    await served.close()
    const storage = memoryStorage()
    const config = () => {
      throw new Error('no config')
    }
    served = await Served.start({ storage, config })
    const first = await say('c1', 'hello')
    expect(first.status).to.equal(500)
    const body = { model: 'quick', input: 'hello', store: true }
    expect((await served.ask('/v1/responses', { body })).status).to.equal(500)
    expect(await storage.conversations.list('ada')).to.deep.equal([])
    await served.ask('/api/conversations', { body: { id: 'c1' } })
    expect((await say('c1', 'hello')).status).to.equal(500)
    expect((await served.ask('/api/conversations/c1')).status).to.equal(200)
  })

  it('create, read and change one', async () => {
    const body = { id: 'c1', title: 'A talk', agent: 'slow', metadata: { folder: 'work' } }
    const created = await served.ask('/api/conversations', { body })
    expect(created.status).to.equal(201)
    expect(created.json).to.deep.include(body)
    const again = await served.ask('/api/conversations', { body })
    expect([again.status, again.json['error']?.['code']]).to.deep.equal([
      409,
      'CONVERSATION_EXISTS',
    ])

    const patch = { title: null, metadata: { folder: 'home' } }
    const changed = await served.ask('/api/conversations/c1', { method: 'PATCH', body: patch })
    expect(changed.json['title']).to.equal(undefined)
    const { json } = await served.ask('/api/conversations/c1')
    expect(json).to.deep.include({ id: 'c1', metadata: { folder: 'home' }, messages: [] })
  })

  it('go on from the message that a change names as their head', async () => {
    const storage = memoryStorage()
    await served.close()
    served = await Served.start({ storage })
    await say('c1', 'hello')
    await say('c1', 'good morning', 'u2')
    const before = await served.history('c1')
    const [, answer, , last] = await storage.conversations.history('ada', 'c1')
    const move = (head: string | null | undefined) =>
      served.ask('/api/conversations/c1', { method: 'PATCH', body: { head } })
    expect(await move(answer?.id)).to.include({ status: 200 })
    expect(await served.history('c1')).to.deep.equal(before.slice(0, 2))
    expect(await move(null)).to.include({ status: 200 })
    expect(await served.history('c1')).to.deep.equal([])
    expect(await move(last?.id)).to.include({ status: 200 })
    expect(await served.history('c1')).to.deep.equal(before)
    const unknown = await move('nothing')
    expect(unknown.status).to.equal(404)
    expect(await served.history('c1')).to.deep.equal(before)
  })

  it('have no title where it is blank', async () => {
    const body = { id: 'blank', title: ' ' }
    const made = await served.ask('/api/conversations', { body })
    expect([made.status, made.json['title']]).to.deep.equal([201, undefined])
    const change = (title: string) =>
      served.ask('/api/conversations/blank', { method: 'PATCH', body: { title } })
    expect((await change('named')).json).to.include({ title: 'named' })
    expect((await change('')).json['title']).to.equal(undefined)
  })

  it('keep their head while a run writes to them, and take a new title', async () => {
    const asking = { body: chatBody('c1', [user('u1', 'count')], { agent: 'slow' }) }
    const { body } = await served.fetch('/api/chat', asking)
    const change = (body: object) => served.ask('/api/conversations/c1', { method: 'PATCH', body })
    const moved = await change({ title: 'moved', head: null })
    expect([moved.status, moved.json['error']?.['code']]).to.deep.equal([409, 'CONVERSATION_BUSY'])
    expect((await change({ title: 'counting' })).json).to.include({ title: 'counting' })
    await served.ask('/api/chat/c1/stop', { body: {} })
    await body?.cancel()
    expect(await change({ head: null })).to.include({ status: 200 })
    expect(await served.history('c1')).to.deep.equal([])
  })

  it('may have the same id as somebody else’s: what plugins keep for one is not shown to the other', async () => {
    const storage = memoryStorage()
    const seen: (readonly [name: string | undefined, count: number])[] = []
    const counter: Feature = {
      kind: 'feature',
      name: 'counter',
      editMessages: async (messages, _state, context) => {
        const count = Number((await context.storage.get('count')) ?? 0) + 1
        await context.storage.set('count', count)
        seen.push([context.conversationId, count])
        return messages
      },
    }
    const plugins = [scripted, calculator, clock, counter]
    const own = await Served.start({ storage }, { storage, plugins })
    try {
      for (const as of ['ada', 'bob', 'ada'] as const) {
        const body = chatBody('talk', [user(`q${seen.length}`, 'hello')])
        expect((await own.ask('/api/chat', { as, body })).status).to.equal(200)
      }
      expect(seen.map(([, count]) => count)).to.deep.equal([1, 1, 2])
      expect(new Set(seen.map(([name]) => name)).size).to.equal(2)
      await own.ask('/api/conversations/talk', { as: 'bob', method: 'DELETE' })
      expect(await storage.storageOf('counter', seen[0]?.[0]).get('count')).to.equal(2)
      expect(await storage.storageOf('counter', seen[1]?.[0]).get('count')).to.equal(undefined)
    } finally {
      await own.close()
    }
  })

  it('say what became of the last run', async () => {
    await say('c1', 'hello')
    const { json } = await served.ask('/api/conversations/c1')
    expect(json['lastRun']).to.include({ status: 'done' })
    expect(json['run']).to.equal(undefined)
    const slow = chatBody('c2', [user('u1', 'hello')], { agent: 'slow' })
    void served.ask('/api/chat', { body: slow })
    const stop = () => served.ask('/api/chat/c2/stop', { body: {} })
    while (!(await stop()).json['stopped']) await new Promise(setImmediate)
    const stopped = (await served.ask('/api/conversations/c2')).json
    expect(stopped['lastRun']).to.include({ status: 'aborted' })
    expect(json).to.not.have.property('endings')
  })

  it('say why the last run failed, also before the first word of its answer', async () => {
    const fault = { type: 'rate-limit', times: 1 }
    const script = [{ then: { text: 'Hi.', fault } }]
    const models = { quick: { config: { settings: { scripted: { script, delay_ms: 0 } } } } }
    const own = await Served.start({ models })
    try {
      await own.ask('/api/chat', { body: chatBody('c1', [user('u1', 'hello')]) })
      const { json } = await own.ask('/api/conversations/c1?sdk=7')
      expect(json['lastRun']).to.include({ status: 'failed' })
      expect(json['lastRun']?.['error']).to.include({ code: 'RATE_LIMITED' })
    } finally {
      await own.close()
    }
  })

  it('list the answers that are not whole, also in a branch', async () => {
    const script = [
      { when: { text: 'break' }, then: { text: 'One two three', fault: CUT } },
      { then: { text: 'Hi.' } },
    ]
    const models = { quick: { config: { settings: { scripted: { script, delay_ms: 0 } } } } }
    const own = await Served.start({ models })
    try {
      const first = [user('u1', 'break')]
      await own.ask('/api/chat', { body: chatBody('c1', first) })
      await own.ask('/api/chat', { body: chatBody('c1', [user('u2', 'hello')]) })
      const { text } = await own.ask('/api/conversations/c1?sdk=7')
      const { messages, endings: told } = JSON.parse(text) as Ended
      const error = {
        code: 'STREAM_INTERRUPTED',
        message: 'The stream of the model API ended too early.',
      }
      const endings = [{ messageId: messages[1]?.id, status: 'failed', error }]
      expect([messages.length, told]).to.deep.equal([4, endings])
      const body = { messageId: messages[3]?.id }
      const branch = (await own.ask('/api/conversations/c1/branch', { body })).json['id']
      const copied = (await own.ask(`/api/conversations/${String(branch)}?sdk=7`)).json
      expect(copied['endings']).to.deep.equal(endings)
    } finally {
      await own.close()
    }
  })

  it('refuse wrong fields by their places', async () => {
    for (const [body, pointer] of [
      [{ title: 7 }, '/title'],
      [{ metadata: 'x' }, '/metadata'],
      [{ titel: 'x' }, '/titel'],
      [{ model: 'quick' }, '/model'],
      [[], undefined],
    ] as const) {
      const { status, json } = await served.ask('/api/conversations', { body })
      expect([status, json['error']?.['pointer']]).to.deep.equal([400, pointer])
    }
    const { status, json } = await served.ask('/api/conversations?before=soon')
    expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/before'])
  })

  it('do nothing of what is asked where a field is none of theirs', async () => {
    await say('c1', 'hello')
    for (const [path, method, body, says] of [
      [
        '/api/conversations/c1',
        'PATCH',
        { title: 'new', agent: 'slow' },
        'title, head, version, metadata',
      ],
      ['/api/conversations/c1/branch', 'POST', { message: 'u1' }, 'messageId, title'],
      ['/api/settings', 'PUT', { temperature: 1 }, 'data, unset'],
    ] as const) {
      const { status, json } = await served.ask(path, { method, body })
      expect(status, path).to.equal(400)
      expect(json['error']?.['message'], path).to.include(`Known fields: ${says}.`)
    }
    const { json } = await served.ask('/api/conversations/c1')
    expect(json['title']).to.not.equal('new')
  })

  it('delete one, with all that belongs to it', async () => {
    await say('c1', 'hello')
    const files = '/api/conversations/c1/files'
    const headers = { 'content-type': 'text/plain' }
    const uploaded = await served.ask(files, { body: 'notes', headers })
    const url = String(uploaded.json['url'])
    expect((await served.ask(url)).text).to.equal('notes')
    const { json } = await served.ask('/api/conversations/c1?sdk=6')
    const run = /"runId":"([^"]+)"/.exec(JSON.stringify(json))?.[1]
    expect((await served.ask(`/runs/${run}/events`)).status).to.equal(200)

    expect((await served.ask('/api/conversations/c1', { method: 'DELETE' })).status).to.equal(204)
    for (const path of ['/api/conversations/c1', url, `/runs/${run}/events`]) {
      expect((await served.ask(path)).status, path).to.equal(404)
    }
  })

  it('stop what runs in one that is deleted', async () => {
    const { body } = await served.fetch('/api/chat', {
      body: chatBody('c1', [user('u1', 'count')], { agent: 'slow' }),
    })
    await served.ask('/api/conversations/c1', { method: 'DELETE' })
    await body?.cancel()
    expect((await served.ask('/metrics')).text).to.include('braidwork_active_runs 0\n')
  })

  it('branch at a message, and leave the one that it came from as it is', async () => {
    await say('c1', 'hello')
    await say('c1', 'so?', 'u2')
    const [asked, answer, , last] = await served.history('c1')
    const { status, json } = await served.ask('/api/conversations/c1/branch', {
      body: { messageId: answer?.id },
    })
    expect(status).to.equal(201)
    const branch = String(json['id'])
    const texts = async (id: string) =>
      (await served.history(id)).map(({ parts }) => parts.at(-1)?.text)
    expect(await texts(branch)).to.deep.equal(['hello', 'You said: hello'])
    await say(branch, 'other', 'u3')
    expect(await texts(branch)).to.have.length(4)
    expect((await served.history('c1')).map(({ id }) => id)).to.include.members([
      asked?.id,
      last?.id,
    ])
    const unknown = await served.ask('/api/conversations/c1/branch', {
      body: { messageId: 'none' },
    })
    expect([unknown.status, unknown.json['error']?.['pointer']]).to.deep.equal([404, '/messageId'])
  })

  it('branch under the title that is asked for, and else under their own', async () => {
    await say('c1', 'hello')
    await served.ask('/api/conversations/c1', { method: 'PATCH', body: { title: 'Towers' } })
    const branch = (body: object) => served.ask('/api/conversations/c1/branch', { body })
    expect((await branch({})).json['title']).to.equal('Towers')
    const named = await branch({ title: 'Towers (branch)' })
    expect(named.json['title']).to.equal('Towers (branch)')
    const read = await served.ask(`/api/conversations/${String(named.json['id'])}`)
    expect(read.json['title']).to.equal('Towers (branch)')
    const refused = await branch({ title: 'x'.repeat(1001) })
    expect([refused.status, refused.json['error']?.['pointer']]).to.deep.equal([400, '/title'])
  })

  it('are not there for others', async () => {
    await say('c1', 'hello')
    const asBob = (path: string, method: string, body?: object) =>
      served.ask(path, { method, as: 'bob', ...(body ? { body } : {}) })
    for (const { status } of [
      await asBob('/api/conversations/c1', 'GET'),
      await asBob('/api/conversations/c1', 'PATCH', { title: 'mine' }),
      await asBob('/api/conversations/c1', 'DELETE'),
      await asBob('/api/conversations/c1/branch', 'POST', {}),
      await asBob('/api/conversations/c1/files', 'POST', {}),
    ]) {
      expect(status).to.equal(404)
    }
    const own = await asBob('/api/chat', 'POST', chatBody('c1', [user('u9', 'mine')]))
    expect(own.status).to.equal(200)
    expect((await asBob('/api/conversations/c1', 'GET')).text).to.include('mine')
    expect(await served.history('c1')).to.have.length(2)
  })
})

interface Page {
  readonly conversations: readonly { readonly id: string }[]
  readonly next?: string
}
