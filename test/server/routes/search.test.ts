import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { Storage } from '../../../src/agent/storage/index.ts'
import { chatBody, Served, type ShownMessage, user } from './served.ts'

/** A conversation as a search lists it. */
interface Found {
  readonly id: string
  readonly title?: string
  readonly titleMarks?: readonly unknown[]
  readonly found?: {
    readonly messageId: string
    readonly role: string
    readonly text: string
    readonly marks: readonly (readonly [number, number])[]
  }
}

interface Page {
  readonly conversations: readonly Found[]
  readonly next?: string
}

describe('a search of conversations', () => {
  let served: Served
  let storage: Storage
  beforeEach(async () => {
    storage = memoryStorage()
    served = await Served.start({ storage })
  })
  afterEach(() => served.close())

  const say = (id: string, text: string, as: 'ada' | 'bob' = 'ada') =>
    served.ask('/api/chat', { body: chatBody(id, [user('u1', text)]), as })
  async function search(text: string, more = '', as: 'ada' | 'bob' = 'ada'): Promise<Page> {
    const query = `?search=${encodeURIComponent(text)}${more}`
    const { status, text: body } = await served.ask(`/api/conversations${query}`, { as })
    expect(status, body).to.equal(200)
    return JSON.parse(body) as Page
  }
  const idsOf = ({ conversations }: Page) => conversations.map(({ id }) => id)

  it('finds what was said, tells which message has it, and marks the words', async () => {
    await say('c1', 'Türme am Meer')
    await say('c2', 'something else')
    const page = await search('TÜRME')
    expect(idsOf(page)).to.deep.equal(['c1'])
    expect(page).to.not.have.property('next')
    const { found } = page.conversations[0] ?? {}
    const shown: readonly ShownMessage[] = await served.history('c1')
    expect(found?.messageId).to.equal(shown.find(({ role }) => role === found?.role)?.id)
    expect(found).to.include({ role: 'assistant', text: 'You said: Türme am Meer' })
    expect(found?.marks.map((mark) => found.text.slice(...mark))).to.deep.equal(['Türme'])
  })

  it('names an answer of several messages, and a copy of it, as chat pages do', async () => {
    await say('c1', 'calculate')
    const { json } = await served.ask('/api/conversations/c1/branch', { body: {} })
    const page = await search('it is')
    expect(idsOf(page)).to.have.members(['c1', String(json['id'])])
    for (const { id, found } of page.conversations) {
      const answer = (await served.history(id)).at(-1)
      expect(found?.messageId, id).to.equal(answer?.id)
    }
  })

  it('finds titles too', async () => {
    await say('c1', 'hello')
    await served.ask('/api/conversations/c1', { method: 'PATCH', body: { title: 'My Towers' } })
    const page = await search('towers my')
    expect(page.conversations).to.have.length(1)
    expect(page.conversations[0]?.titleMarks).to.deep.equal([
      [0, 2],
      [3, 9],
    ])
    expect(page.conversations[0]).to.not.have.property('found')
  })

  it('finds nothing of others', async () => {
    await say('c1', 'the secret of ada')
    await say('c1', 'the secret of bob', 'bob')
    const [own] = (await search('secret', '', 'bob')).conversations
    expect(own?.found?.text).to.include('of bob')
    expect((await search('ada', '', 'bob')).conversations).to.deep.equal([])
  })

  it('lists what it finds page by page, the newest first', async () => {
    for (let at = 0; at < 5; at++) await say(`c${at}`, at % 2 ? 'odd' : 'even')
    const first = await search('even', '&limit=2')
    expect(idsOf(first)).to.deep.equal(['c4', 'c2'])
    const second = await search('even', `&limit=2&before=${first.next}`)
    expect(idsOf(second)).to.deep.equal(['c0'])
    expect(second).to.not.have.property('next')
  })

  it('looks at so many conversations at once, and says where to go on', async () => {
    for (let at = 0; at < 5100; at++) {
      const about = { owner: 'ada', agent: 'quick', sender: 'ada' }
      const title = at === 0 ? 'the first' : 'another'
      await storage.conversations.create({ id: `c${at}`, title, ...about }, at)
    }
    const first = await search('the first')
    expect(first.conversations).to.deep.equal([])
    const second = await search('the first', `&before=${first.next}`)
    expect(idsOf(second)).to.deep.equal(['c0'])
  })

  it('lists all for an empty search, and refuses one that is too long', async () => {
    await say('c1', 'hello')
    expect(idsOf(await search('  '))).to.deep.equal(['c1'])
    const { status, json } = await served.ask(`/api/conversations?search=${'x'.repeat(201)}`)
    expect([status, json['error']?.['pointer']]).to.deep.equal([400, '/search'])
  })
})
