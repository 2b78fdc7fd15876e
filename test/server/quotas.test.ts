import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import type { Feature } from '../../src/plugin/index.ts'
import calculator from '../../tools/calculator/index.ts'
import clock from '../../tools/clock/index.ts'
import { type Answered, chatBody, Served, user } from './routes/served.ts'

describe('what one identity may store', () => {
  let served: Served
  afterEach(() => served.close())

  const begin = async (limits: object, more: object = {}) => {
    served = await Served.start({ limits, ...more })
  }
  const create = (more: object = {}, as: 'ada' | 'bob' = 'ada') =>
    served.ask('/api/conversations', { body: { agent: 'quick', ...more }, as })
  const upload = (id: string, size: number, as: 'ada' | 'bob' = 'ada') =>
    served.ask(`/api/conversations/${id}/files`, {
      body: new Uint8Array(size),
      headers: { 'content-type': 'a/b' },
      as,
    })
  /** The code, wherever an answer of a wire has it. */
  const codeIn = ({ text }: Answered) => /storage_quota_exceeded/i.exec(text)?.[0].toUpperCase()

  describe('as metadata', () => {
    beforeEach(() => begin({}))

    it('is a little with each conversation, and more is refused by its name', async () => {
      const metadata = { text: 'x'.repeat(16_000) }
      expect(await create({ id: 'a', metadata })).to.include({ status: 201 })
      const large = { text: 'x'.repeat(16_384) }
      const patch = { method: 'PATCH', body: { metadata: large } }
      const asked = { model: 'quick', input: 'hi', store: true, metadata: large }
      for (const answer of [
        await create({ metadata: large }),
        await served.ask('/api/conversations/a', patch),
        await served.ask('/v1/responses', { body: asked }),
      ]) {
        expect(answer.status).to.equal(413)
        expect(answer.text).to.include('metadata').and.include('16384')
      }
      expect((await served.ask('/api/conversations/a')).json['metadata']).to.deep.equal(metadata)
    })

    it('is in no list', async () => {
      await create({ id: 'a', metadata: { text: 'x'.repeat(10_000) } })
      const { text, json } = await served.ask('/api/conversations')
      expect(json['conversations']?.['0']).to.include({ id: 'a', agent: 'quick' })
      expect(text).to.not.include('metadata').and.not.include('xxx')
    })

    it('is told of by a title of some words', async () => {
      expect(await create({ title: 'x'.repeat(1001) })).to.include({ status: 400 })
      expect(await create({ title: 'x'.repeat(1000) })).to.include({ status: 201 })
    })
  })

  it('is so many conversations, by whatever address they are made', async () => {
    await begin({ conversations: 2 })
    for (const id of ['a', 'b']) await create({ id })
    const chat = chatBody('c', [user('u', 'hello')])
    for (const answer of [
      await create(),
      await served.ask('/api/conversations/a/branch', { body: {} }),
      await served.ask('/api/chat', { body: chat }),
      await served.ask('/v1/conversations', { body: {} }),
    ]) {
      expect(answer.status).to.equal(413)
      expect(answer.text).to.include('2 conversations')
    }
    expect(await create({ id: 'a' }, 'bob')).to.include({ status: 201 })
    await served.ask('/api/conversations/a', { method: 'DELETE' })
    expect(await served.ask('/api/chat', { body: chat })).to.include({ status: 200 })
  })

  it('is no more where many requests come at the same time, and the storage answers slowly', async () => {
    const storage = memoryStorage()
    const usage = async (owner: string) => {
      const used = await storage.usage(owner)
      await new Promise(setImmediate)
      return used
    }
    await begin({ conversations: 3, files: 2 }, { storage: { ...storage, usage } })
    const times = Array.from({ length: 10 }, (_, at) => at)
    const statusesOf = async (ask: (at: number) => Promise<Answered>) =>
      (await Promise.all(times.map(ask))).map(({ status }) => status)
    const ofRoom = (count: number) => times.map((at) => (at < count ? 201 : 413))
    const made = await statusesOf((at) => create({ id: `c${at}` }))
    expect(made.toSorted()).to.deep.equal(ofRoom(3))
    expect(await create({}, 'bob')).to.include({ status: 201 })
    const { conversations } = (await served.ask('/api/conversations')).json
    const id = String(conversations?.['0']?.['id'])
    const stored = await statusesOf((at) => upload(id, at + 1))
    expect(stored.toSorted()).to.deep.equal(ofRoom(2))
  })

  it('is so many files, and so many bytes, of which deleting gives back', async () => {
    await begin({ files: 2, storage: 100_000 })
    await create({ id: 'a' })
    expect(await upload('a', 60_000)).to.include({ status: 201 })
    const large = await upload('a', 60_001)
    expect([large.status, codeIn(large)]).to.deep.equal([413, 'STORAGE_QUOTA_EXCEEDED'])
    expect(await upload('a', 10)).to.include({ status: 201 })
    const third = await upload('a', 11)
    expect(third.status).to.equal(413)
    expect(third.text).to.include('2 files')
    await create({ id: 'b' }, 'bob')
    expect(await upload('b', 60_001, 'bob')).to.include({ status: 201 })
    await served.ask('/api/conversations/a', { method: 'DELETE' })
    await create({ id: 'a' })
    expect(await upload('a', 60_001)).to.include({ status: 201 })
  })

  it('is no file more, which is said before the file is read, and so of one that is too large', async () => {
    await begin({ files: 1, file: 500 })
    await create({ id: 'a' })
    expect(codeIn(await upload('a', 501))).to.equal(undefined)
    expect(await upload('a', 500)).to.include({ status: 201 })
    expect(codeIn(await upload('a', 501))).to.equal('STORAGE_QUOTA_EXCEEDED')
  })

  it('is refused in the words of each wire once it is full, where it would be stored', async () => {
    const storage = memoryStorage()
    await begin({ storage: 20_000 }, { storage })
    await create({ id: 'a' })
    await upload('a', 19_900)
    const messages = [{ role: 'user', content: 'hi' }]
    const input = { threadId: 'a', runId: 'r', messages: [{ id: 'm', ...messages[0] }] }
    const agUi = { ...input, tools: [], context: [], state: {}, forwardedProps: {} }
    await storage.settings.save('ada', { filler: 'x'.repeat(500) }, 1)
    const store = { model: 'quick', store: true }
    const metadata = { text: 'x' }
    for (const [answer, hasCode] of [
      [await served.ask('/api/chat', { body: chatBody('a', [user('u', 'hi')]) }), false],
      [await served.ask('/ag-ui', { body: agUi }), true],
      [await served.ask('/v1/chat/completions', { body: { ...store, messages } }), true],
      [await served.ask('/v1/responses', { body: { ...store, input: 'hi' } }), true],
      [await create({ metadata }), true],
      [await served.ask('/api/conversations/a', { method: 'PATCH', body: { metadata } }), true],
    ] as const) {
      expect(answer.status, answer.text).to.equal(413)
      expect(answer.text).to.include('20000 bytes')
      if (hasCode) expect(codeIn(answer), answer.text).to.equal('STORAGE_QUOTA_EXCEEDED')
    }
    const unstored = { body: { model: 'quick', messages } }
    expect(await served.ask('/v1/chat/completions', unstored)).to.include({ status: 200 })
    const cleared = { method: 'PATCH', body: { title: null } }
    expect(await served.ask('/api/conversations/a', cleared)).to.include({ status: 200 })
  })

  it('is so much in one conversation, which another goes on from', async () => {
    await begin({ conversation: 2000 })
    const say = (id: string, at: string) =>
      served.ask('/api/chat', { body: chatBody(id, [user(at, 'x'.repeat(1500))]) })
    expect(await say('a', 'u1')).to.include({ status: 200 })
    const second = await say('a', 'u2')
    if (second.status === 200) expect(await say('a', 'u3')).to.include({ status: 413 })
    const last = await say('a', 'u4')
    expect(last.status).to.equal(413)
    expect(last.text).to.include('2000 bytes')
    expect(await served.ask('/api/conversations/a')).to.include({ status: 200 })
    expect(await say('b', 'u1')).to.include({ status: 200 })
  })

  it('has what plugins keep for it', async () => {
    const storage = memoryStorage()
    const failures: unknown[] = []
    const keeper: Feature = {
      kind: 'feature',
      name: 'keeper',
      editMessages: async (messages, _state, context) => {
        await context.storage.set(`at-${failures.length}`, 'x'.repeat(6000)).then(
          () => failures.push(undefined),
          (error: { code: string }) => failures.push(error.code),
        )
        return messages
      },
    }
    const own = { storage, plugins: [scripted, calculator, clock, keeper] }
    served = await Served.start({ storage, limits: { storage: 10_000 } }, own)
    const messages = [{ role: 'user', content: 'hi' }]
    const ask = () => served.ask('/v1/chat/completions', { body: { model: 'quick', messages } })
    await ask()
    await ask()
    expect(failures).to.deep.equal([undefined, 'STORAGE_QUOTA_EXCEEDED'])
    expect((await storage.usage('ada')).bytes).to.be.within(6000, 7000)
  })

  it('is of files no more in one run than a request may bring, however often one stands there', async () => {
    await begin({ attachments: 1000 })
    await create({ id: 'a' })
    const { json } = await upload('a', 400)
    const file = { type: 'file', mediaType: 'a/b', url: String(json['url']) }
    const say = (id: string, times: number) =>
      served.ask('/api/chat', {
        body: chatBody('a', [
          { id, role: 'user', parts: [{ type: 'text', text: 'hi' }, ...Array(times).fill(file)] },
        ]),
      })
    const three = await say('u1', 3)
    expect([three.status, three.text.includes('limits.attachments')]).to.deep.equal([413, true])
    expect(await say('u2', 2)).to.include({ status: 200 })
  })

  it('has the files of a conversation once more for its branch, which outlives it', async () => {
    await begin({})
    await served.ask('/api/chat', { body: chatBody('a', [user('u', 'hello')]) })
    const { json } = await upload('a', 100)
    const address = String(json['url'])
    const branch = await served.ask('/api/conversations/a/branch', { body: {} })
    await served.ask('/api/conversations/a', { method: 'DELETE' })
    expect(await served.ask(address)).to.include({ status: 200 })
    const id = String(branch.json['id'])
    await served.ask(`/api/conversations/${id}`, { method: 'DELETE' })
    expect(await served.ask(address)).to.include({ status: 404 })
  })
})
