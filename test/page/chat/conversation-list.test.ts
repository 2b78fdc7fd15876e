import { expect } from 'chai'
import { ConversationList } from '../../../src/page/site/chat/conversation-list.ts'
import type { Client } from '../../../src/page/site/server/index.ts'

/** How many conversations the server looks at in one search. */
const AT_ONCE = 500

/** A server with conversations `chat 0`, the newest, to `chat <count - 1>`. */
function listOf(count: number) {
  const asked: string[] = []
  const json = async (path: string, { method = 'GET' } = {}) => {
    if (method !== 'GET') return undefined
    asked.push(path)
    const query = new URLSearchParams(path.split('?')[1])
    const [limit, from] = [Number(query.get('limit')), Number(query.get('before') ?? 0)]
    const search = query.get('search')
    const conversations = []
    const last = Math.min(count, search === null ? from + limit : from + AT_ONCE)
    let at = from
    for (; at < last && conversations.length < limit; at++) {
      const title = `chat ${at}`
      if (search !== null && !title.includes(search)) continue
      conversations.push({ id: `c${at}`, title, agent: 'a', createdAt: 1, updatedAt: 1 })
    }
    return { conversations, ...(at < count ? { next: `${at}` } : {}) }
  }
  return { asked, list: new ConversationList({ json } as unknown as Client) }
}

const idsOf = ({ shown }: ConversationList) => shown.value.map(({ id }) => id)

describe('the list of conversations', () => {
  it('lets the server search, as often as it takes', async () => {
    const { list, asked } = listOf(1000)
    await list.load()
    await list.find('chat 777')
    expect(idsOf(list)).to.deep.equal(['c777'])
    expect(asked.slice(1)).to.deep.equal([
      'api/conversations?search=chat%20777&limit=50',
      'api/conversations?search=chat%20777&limit=50&before=500',
    ])
    expect(list.isSearching.value).to.equal(false)
  })

  it('reads no more than what it shows, and more on demand', async () => {
    const { list, asked } = listOf(1000)
    await list.load()
    await list.find('chat')
    expect([list.shown.value.length, asked.length, list.hasMore.value]).to.deep.equal([50, 2, true])
    await list.more()
    expect([list.shown.value.length, asked.length]).to.deep.equal([100, 3])
    await list.find('')
    expect([list.shown.value.length, asked.length]).to.deep.equal([50, 3])
    await list.find('chat')
    expect([list.shown.value.length, asked.length]).to.deep.equal([100, 3])
  })

  it('shows listed titles at once, until the server has answered', async () => {
    const { list } = listOf(1000)
    await list.load()
    const finding = list.find('chat 4')
    expect(list.shown.value).to.have.length(11)
    expect([list.isSearching.value, list.hasMore.value]).to.deep.equal([true, false])
    await finding
    expect(list.shown.value.length).to.equal(50)
  })

  it('shows none that was deleted while the server searched', async () => {
    const { list } = listOf(20)
    await list.load()
    const finding = list.find('chat 4')
    await list.remove('c4')
    await finding
    expect(idsOf(list)).to.deep.equal([])
  })

  it('asks once for what is typed quickly, and stops for what is no longer searched', async () => {
    const { list, asked } = listOf(100_000)
    await list.load()
    await Promise.all(['c', 'ch', 'chat 9'].map((text) => list.find(text)))
    expect(asked.slice(1).every((path) => path.includes('search=chat%209'))).to.equal(true)
    const first = list.find('nothing of that')
    await list.find('')
    await first
    expect(asked.some((path) => path.includes('nothing'))).to.equal(false)
  })

  it('changes what was found as what is listed', async () => {
    const { list } = listOf(1000)
    await list.load()
    await list.find('chat 77')
    await list.rename('c77', 'Towers')
    await list.remove('c770')
    expect([list.titleOf('c77'), idsOf(list).includes('c770')]).to.deep.equal(['Towers', false])
    expect(list.titleOf('c771')).to.equal('chat 771')
  })

  it('reads each page once, also where two want it', async () => {
    const { list } = listOf(120)
    await list.load()
    await Promise.all([list.more(), list.more()])
    expect(list.shown.value).to.have.length(100)
  })
})
