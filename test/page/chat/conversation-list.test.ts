import { expect } from 'chai'
import { ConversationList } from '../../../src/page/site/chat/conversation-list.ts'
import type { Client } from '../../../src/page/site/server/index.ts'

/** A server with conversations `chat 0`, the newest, to `chat <count - 1>`. */
function listOf(count: number) {
  const asked: string[] = []
  const json = async (path: string) => {
    asked.push(path)
    const query = new URLSearchParams(path.split('?')[1])
    const [limit, from] = [Number(query.get('limit')), Number(query.get('before') ?? 0)]
    const end = Math.min(count, from + limit)
    const conversations = Array.from({ length: end - from }, (_, at) => ({
      id: `c${from + at}`,
      title: `chat ${from + at}`,
      agent: 'a',
      createdAt: 1,
      updatedAt: 1,
    }))
    return { conversations, ...(end < count ? { next: `${end}` } : {}) }
  }
  return { asked, list: new ConversationList({ json } as unknown as Client) }
}

describe('the list of conversations', () => {
  it('finds those that are on later pages', async () => {
    const { list } = listOf(1000)
    await list.load()
    await list.find('chat 777')
    expect(list.shown.value.map(({ id }) => id)).to.deep.equal(['c777'])
  })

  it('reads no more than what it shows', async () => {
    const { list, asked } = listOf(1000)
    await list.load()
    await list.find('chat')
    expect([list.shown.value.length, asked.length]).to.deep.equal([50, 1])
    await list.find('')
    expect(asked).to.have.length(1)
  })

  it('stops reading for a text that is no longer searched', async () => {
    const { list, asked } = listOf(100_000)
    await list.load()
    const first = list.find('nothing of that')
    await list.find('')
    await first
    expect(asked).to.have.length(2)
  })

  it('reads each page once, also where two want it', async () => {
    const { list } = listOf(120)
    await list.load()
    await Promise.all([list.more(), list.more()])
    expect(list.shown.value).to.have.length(100)
  })
})
