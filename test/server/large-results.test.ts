import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import type { Storage } from '../../src/agent/index.ts'
import { memoryStorage } from '../../src/agent/memory-storage/index.ts'
import { HostError } from '../../src/plugin/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { hashOf } from '../core/results/stores.ts'
import { memoryFolder } from '../helpers/memory-folder.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const LONG = `<script>alert(1)</script>${'ein langer Weg über Land '.repeat(4000)}`
const HASH = hashOf(LONG)
const OTHER = 'other '.repeat(20_000)
const SIZE = Buffer.byteLength(LONG)

const big = tool('big', {
  getToolSchemas: () => [schema('big')],
  executeTool: ({ input }: { readonly input: { readonly other?: true } }) =>
    input.other ? OTHER : LONG,
})

/** The model calls "big" where it is asked to, else it reads the result at this offset. */
const SCRIPT = [
  { when: { step: 1, equals: 'big' }, then: { tool_calls: [{ name: 'big', input: {} }] } },
  {
    when: { step: 1, equals: 'other' },
    then: { tool_calls: [{ name: 'big', input: { other: true } }] },
  },
  {
    when: { step: 1, equals: 'read' },
    then: { tool_calls: [{ name: 'read_result', input: { reference: HASH, offset: 100 } }] },
  },
  { then: { text: 'Done.' } },
]

const OWN = {
  plugins: [scripted, big],
  config: { settings: { scripted: { delay_ms: 0, script: SCRIPT } } },
}
const MODELS = { quick: { config: { model: 'scripted-mini' } } }

async function serve(storage: Storage = memoryStorage(), more: object = {}): Promise<Served> {
  return Served.start({ models: MODELS, storage, ...more }, OWN)
}

type As = 'ada' | 'bob'

describe('a large result of a tool, on a server', () => {
  let served: Served
  const open: Served[] = []
  const start = async (storage?: Storage, more: object = {}) => {
    served = await serve(storage, more)
    open.push(served)
    return served
  }
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })

  let count = 0
  const say = (id: string, text: string, as: As = 'ada', more: object = {}) =>
    served.ask('/api/chat', { body: chatBody(id, [user(`u${count++}`, text)], more), as })
  const fetched = (id: string, hash = HASH, as: As = 'ada') =>
    served.ask(`/api/conversations/${id}/results/${hash}`, { as })

  it('is not read by a model to which no tools are offered', async () => {
    await start()
    await say('talk', 'big')
    expect((await say('talk', 'read')).text).to.include('langer')
    const { text } = await say('talk', 'read', 'ada', { agent: 'quick-plain' })
    expect(text).to.include('finish').and.not.include('langer')
  })

  /** The conversation has a large result of its own, and so the tool to read it. */
  const isUnknownIn = async (id: string) => {
    await say(id, 'other')
    const { text } = await say(id, 'read')
    expect(text).to.include('No result is stored as').and.not.include('langer')
  }

  it('LT-09 is stored for the conversation, and read in a later turn', async () => {
    await start()
    expect((await say('c1', 'big')).text)
      .to.include(HASH)
      .and.not.include(LONG)
    expect((await say('c1', 'read')).text).to.include(`Bytes 100 to 65380 of ${SIZE}`)
  })

  it('LT-09 is read after a restart, by another process', async () => {
    const folder = memoryFolder('braidwork-results-')
    const storages: Storage[] = []
    const opened = async () => {
      const storage = await openStorage(join(folder, 'data.db'))
      storages.push(storage)
      return storage
    }
    try {
      await start(await opened())
      await say('c1', 'big')
      await start(await opened())
      expect((await say('c1', 'read')).text).to.include(`Bytes 100 to 65380 of ${SIZE}`)
      await isUnknownIn('c2')
    } finally {
      for (const one of open.splice(0)) await one.close()
      for (const storage of storages) await storage.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('LT-09 is not read from another conversation, nor by another owner', async () => {
    await start()
    await say('c1', 'big')
    expect((await say('c2', 'read')).text).to.include('Tool not registered')
    await isUnknownIn('c2')
    for (const as of ['ada', 'bob'] as const) {
      await say('c3', 'big', 'bob')
      await served.ask('/api/conversations/c3', { method: 'DELETE', as: 'bob' })
      expect((await say('c3', 'read', as)).text).not.to.include('langer')
    }
  })

  it('LT-09 that the conversation does not have is not found, whoever has it', async () => {
    await start()
    await say('c1', 'big')
    await say('c2', 'hello')
    await say('c3', 'big', 'bob')
    expect((await fetched('c1')).status).to.equal(200)
    const others = [
      await fetched('c2'),
      await fetched('c1', HASH, 'bob'),
      await fetched('c1', 'f'.repeat(64)),
      await fetched('c1', '..%2f..%2fetc'),
      await fetched('none'),
    ]
    expect(others.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404])
    await served.ask('/api/conversations/c1', { method: 'DELETE' })
    expect((await fetched('c1')).status).to.equal(404)
    expect((await fetched('c3', HASH, 'bob')).status).to.equal(200)
  })

  it('LT-09 is opened whole, and never runs as a page of the server', async () => {
    await start()
    await say('c1', 'big')
    const { text, headers } = await fetched('c1')
    expect(hashOf(text)).to.equal(HASH)
    expect(Object.fromEntries(headers)).to.deep.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })

  it('LT-09 goes with a branch of its conversation', async () => {
    await start()
    await say('c1', 'big')
    const { json } = await served.ask('/api/conversations/c1/branch', { body: {} })
    const branch = String(json['id'])
    await served.ask('/api/conversations/c1', { method: 'DELETE' })
    expect(hashOf((await fetched(branch)).text)).to.equal(HASH)
    expect((await say(branch, 'read')).text).to.include(`Bytes 100 to 65380 of ${SIZE}`)
  })

  it('LT-09 counts once towards the quota, however often the tool returns it', async () => {
    const storage = memoryStorage()
    await start(storage)
    await say('c1', 'big')
    const first = await storage.usage('ada')
    await say('c1', 'big')
    const second = await storage.usage('ada')
    expect([first.files, second.files]).to.deep.equal([1, 1])
    expect(first.bytes).to.be.above(SIZE)
    expect(second.bytes - first.bytes).to.be.below(SIZE / 2)
  })

  it('LT-09 for which the quota has no room is an error that says so, and the run goes on', async () => {
    await start(memoryStorage(), { limits: { storage: SIZE } })
    const { text } = await say('c1', 'big')
    expect(text).to.include('could not be stored').and.include('storage quota').and.include('Done.')
    expect((await fetched('c1')).status).to.equal(404)
  })

  it('LT-09 that the storage refuses is an error, and is tried again where that may help', async () => {
    const storage = memoryStorage()
    const faults = [true, true, false]
    let tries = 0
    const put: Storage['files']['put'] = (...args) => {
      const retryable = faults[tries++]
      if (retryable === undefined) return storage.files.put(...args)
      throw new HostError('STORAGE_FAILED', 'The database is locked.', { retryable })
    }
    await start({ ...storage, files: { ...storage.files, put } })
    const { text } = await say('c1', 'big')
    expect(tries).to.equal(3)
    expect(text).to.include('The database is locked.').and.include('Done.')
    expect((await say('c1', 'big')).text).to.include(`stored as \\"${HASH}`)
  })

  it('LT-09 of a run without a conversation is read within the run alone', async () => {
    const storage = memoryStorage()
    await start(storage)
    const body = { model: 'quick', messages: [{ role: 'user', content: 'big' }] }
    const { json } = await served.ask('/v1/chat/completions', { body })
    expect(JSON.stringify(json)).to.include('Done.')
    expect(await storage.usage('ada')).to.include({ files: 0 })
  })
})
