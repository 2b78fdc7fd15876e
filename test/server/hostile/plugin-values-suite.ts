import { expect } from 'chai'
import { conversationKey, type Storage } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import type { Context, UiElement } from '../../../src/plugin/index.ts'
import { openStorage } from '../../../src/store/index.ts'
import { sampled } from '../../helpers/cases.ts'
import { type Backend, begin } from '../../store/backends.ts'
import { type Answered, chatBody, Served, user } from '../routes/served.ts'

/** Of identities: such as are like another's, or like what stands in keys. */
const IDS = [
  'ada',
  'bob',
  'ada/',
  'ada/talk',
  'ada%2Ftalk',
  'ada%',
  '__proto__',
  'null',
  '%2F',
  '/',
]

/** Keeps all that it has seen, for no conversation where there is none, and puts it in place of what was said. */
const diary = {
  kind: 'feature',
  name: 'diary',
  async editMessages(messages: readonly Message[], _: unknown, { storage }: Context) {
    const [part] = messages.at(-1)?.parts ?? []
    const seen = [...(((await storage.get('seen')) as unknown[] | undefined) ?? []), part]
    await storage.set('seen', seen)
    return [{ role: 'user', parts: [{ type: 'text', text: JSON.stringify(seen) }] }]
  },
  async getUiElements(_: unknown, __: unknown, { storage }: Context): Promise<UiElement[]> {
    const seen = JSON.stringify((await storage.get('seen')) ?? [])
    return [{ id: 'note', kind: 'setting', title: `Seen: ${seen}`, schema: { type: 'string' } }]
  },
}

/** What a plugin has stored for a caller, as it is exported. */
async function exportedValues(storage: Storage, caller: string): Promise<readonly unknown[]> {
  const values: unknown[] = []
  for await (const record of storage.exportRecords(caller)) {
    if (record.type === 'value' && record.plugin === 'diary') values.push(record.value)
  }
  return values
}

/** What plugins keep for different callers, in any backend. */
export function pluginValuesSuite(backend: Backend, start = 0): void {
  const callers = ['ada', ...sampled(IDS.slice(1), 3, start)]

  describe(`what plugins keep for nobody’s conversation, in ${backend.name}`, function () {
    this.timeout(30_000)
    let storage: Storage
    let served: Served

    before(async function () {
      await begin(backend, this)
      storage = await openStorage(backend.place())
      const { default: scripted } = await import('../../../providers/scripted/index.ts')
      served = await Served.start(
        {
          storage,
          settable: ['/settings/diary'],
          authenticate: ({ headers }) => ({
            id: decodeURIComponent(headers.get('x-caller') ?? ''),
            role: 'admin',
          }),
        },
        { plugins: [scripted, diary], storage },
      )
    })
    after(async () => {
      await served?.close()
      await storage?.close()
      await backend.end()
    })

    const ask = (caller: string, path: string, body?: unknown): Promise<Answered> =>
      served.ask(path, {
        headers: { 'x-caller': encodeURIComponent(caller) },
        ...(body === undefined ? {} : { body }),
      })
    const secretOf = (caller: string) => `<secret ${IDS.indexOf(caller)}>`
    const others = (caller: string) => IDS.filter((id) => id !== caller).map(secretOf)

    it('is each caller’s own, by whatever protocol', async () => {
      for (const caller of [...callers, ...callers]) {
        const messages = [{ role: 'user', content: secretOf(caller) }]
        const chat = { model: 'quick', messages }
        for (const [path, body] of [
          ['/v1/chat/completions', chat],
          ['/v1/messages', { ...chat, max_tokens: 100 }],
          ['/v1/responses', { model: 'quick', input: secretOf(caller) }],
          ['/v1/responses', { model: 'quick', input: secretOf(caller), background: true }],
        ] as const) {
          const { status, text } = await ask(caller, path, body)
          expect(status, text).to.equal(200)
          for (const other of others(caller)) expect(text, caller).to.not.include(other)
        }
      }
      const { text } = await ask('ada', '/v1/responses', { model: 'quick', input: 'And?' })
      // Three answers of two rounds; what runs in the background has a conversation.
      expect(text.split(secretOf('ada'))).to.have.length(7)
    })

    it('is each caller’s own in forms', async () => {
      for (const caller of callers) {
        const { status, text } = await ask(caller, '/api/settings')
        expect(status, text).to.equal(200)
        expect(text).to.include(secretOf(caller))
        for (const other of others(caller)) expect(text, caller).to.not.include(other)
      }
    })

    it('is none of what is kept for a conversation, and goes with none', async () => {
      for (const id of ['ada', 'talk', '/', 'ada/talk']) {
        const { text } = await ask('ada', '/api/chat', chatBody(id, [user('q', 'Hello')]))
        expect(text).to.include('Hello').and.not.include('secret')
        expect(
          (
            await served.fetch(`/api/conversations/${encodeURIComponent(id)}`, {
              method: 'DELETE',
              headers: { 'x-caller': 'ada' },
            })
          ).status,
        ).to.equal(204)
        const key = conversationKey('ada', id)
        expect(await storage.storageOf('diary', key).list()).to.deep.equal([])
      }
      expect((await ask('ada', '/api/settings')).text).to.include(secretOf('ada'))
    })

    it('is exported with what else is the caller’s', async () => {
      for (const caller of callers) {
        const text = JSON.stringify(await exportedValues(storage, caller))
        expect(text).to.include(secretOf(caller))
        for (const other of others(caller)) expect(text, caller).to.not.include(other)
      }
    })
  })
}
