import { expect } from 'chai'
import { memoryStorage } from '../../src/agent/index.ts'
import { MemoryValues } from '../../src/core/storage.ts'
import { createContexts } from '../../src/plugin/context.ts'

function contexts(notes: unknown[] = [], ids: object = { requestId: 'r' }) {
  const storage = new MemoryValues()
  return createContexts({
    signal: new AbortController().signal,
    log: (entry) => notes.push(entry),
    warn: (plugin, message) => notes.push([plugin, message]),
    emit: (event) => notes.push(event),
    configOf: (plugin) => ({ greeting: plugin }),
    settingsOf: (plugin) => ({ of: plugin }),
    tags: new Set(['text']),
    modelInfo: {},
    storageOf: (plugin) => storage.storageOf(plugin),
    ...ids,
  })
}

describe('createContexts', () => {
  it('gives a plugin the same object each time it is asked for in a phase', () => {
    const contextOf = contexts()
    expect(contextOf('a', 'prepare')).to.equal(contextOf('a', 'prepare'))
    expect(contextOf('a', 'prepare').phase).to.equal('prepare')
    expect(contextOf('a', 'finals').phase).to.equal('finals')
  })

  it('gives a plugin one local in all phases, and no other plugin the same', () => {
    const contextOf = contexts()
    expect(contextOf('a', 'prepare').local).to.equal(contextOf('a', 'finals').local)
    expect(contextOf('a', 'prepare').local).to.not.equal(contextOf('b', 'prepare').local)
  })

  it('shows each plugin the config as it may see it', () => {
    expect(contexts()('a', 'prepare').config).to.deep.equal({ greeting: 'a' })
  })

  it('names the plugin of a warning and of a line of the log', () => {
    const notes: unknown[] = []
    const { warn, log } = contexts(notes)('a', 'prepare')
    warn('too long')
    log({ level: 'info', message: 'hi' })
    expect(notes).to.deep.equal([['a', 'too long'], { level: 'info', message: 'hi', plugin: 'a' }])
  })

  it('has an id for each that is known, and no member for one that is not', () => {
    const context = contexts([], { requestId: 'r', runId: 'run' })('a', 'prepare')
    expect(context).to.include({ requestId: 'r', runId: 'run' })
    expect('conversationId' in context).to.equal(false)
    expect('requestId' in contexts([], {})('a', 'settings')).to.equal(false)
  })
})

describe('MemoryValues', () => {
  it('keeps values by plugin and conversation', async () => {
    const storage = new MemoryValues()
    await storage.storageOf('a', 'x').set('key', 1)
    expect(await storage.storageOf('a', 'x').get('key')).to.equal(1)
    expect(await storage.storageOf('a', 'y').get('key')).to.equal(undefined)
    expect(await storage.storageOf('b', 'x').get('key')).to.equal(undefined)
    expect(await storage.storageOf('a').get('key')).to.equal(undefined)
  })

  it('lists keys in order, by a prefix, and deletes them', async () => {
    const store = new MemoryValues().storageOf('a')
    for (const key of ['b/2', 'a', 'b/1']) await store.set(key, key)
    expect(await store.list()).to.deep.equal(['a', 'b/1', 'b/2'])
    expect(await store.list('b/')).to.deep.equal(['b/1', 'b/2'])
    await store.delete('b/1')
    expect(await store.list('b/')).to.deep.equal(['b/2'])
  })

  it('keeps and gives copies', async () => {
    const store = new MemoryValues().storageOf('a')
    const value = { list: [1] }
    await store.set('key', value)
    value.list.push(2)
    const read = (await store.get('key')) as typeof value
    read.list.push(3)
    expect(await store.get('key')).to.deep.equal({ list: [1] })
  })

  it('keeps what a database would keep, which is JSON', async () => {
    for (const storage of [new MemoryValues(), memoryStorage()]) {
      const store = storage.storageOf('a')
      await store.set('key', { at: new Date(0), none: undefined, run: () => 1, list: [undefined] })
      expect(await store.get('key')).to.deep.equal({ at: '1970-01-01T00:00:00.000Z', list: [null] })
      await store.set('key', undefined)
      expect(await store.get('key')).to.equal(null)
    }
  })
})
