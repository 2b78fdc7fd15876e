import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/index.ts'
import type { NewEntry, Storage } from '../../../src/agent/storage/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { plannedPath } from '../../../src/server/turns/planned-path.ts'
import type { WireRequest } from '../../../src/server/wire/protocol.ts'

const ENTRIES = 2000

function message(id: string, role: 'user' | 'assistant', text = id): Message {
  return { id, role, parts: [{ type: 'text', text }] }
}

function asked(messages: readonly Message[], more: Partial<WireRequest> = {}): WireRequest {
  const base = { messages, settings: {}, tools: [], isStreaming: false, approvals: [], ignored: [] }
  return { ...base, ...more }
}

describe('the stored part of a conversation that a request is planned by', () => {
  let storage: Storage
  /** How many entries were read. */
  let read: number

  const stored = () => ({ storage, owner: 'ada', conversationId: 'c' })

  beforeEach(async () => {
    const kept = memoryStorage()
    await kept.conversations.create({ id: 'c', owner: 'ada', agent: 'a', sender: 'ada' }, 1)
    const entries: NewEntry[] = Array.from({ length: ENTRIES }, (_, at) => {
      const id = `e${at}`
      return { kind: 'message', id, message: message(id, at % 2 === 0 ? 'user' : 'assistant') }
    })
    const marker = { summary: 'Much was said.', archive: 'none', keptFrom: `e${ENTRIES - 2}` }
    await kept.conversations.append(
      'ada',
      'c',
      { entries: [...entries, { kind: 'compaction', id: 'marker', ...marker }] },
      1,
    )
    read = 0
    storage = { ...kept, conversations: counted(kept.conversations) }
  })

  function counted(conversations: Storage['conversations']): Storage['conversations'] {
    return new Proxy(conversations, {
      get: (target, name: keyof Storage['conversations']) => {
        if (name === 'above') {
          return async function* (...args: Parameters<typeof target.above>) {
            for await (const entry of target.above(...args)) {
              read++
              yield entry
            }
          }
        }
        if (name === 'history' || name === 'entries') {
          return async (...args: [string, string]) => {
            const all = await target[name](...args)
            read += all.length
            return all
          }
        }
        return Reflect.get(target, name).bind(target)
      },
    })
  }

  const idsOf = async (request: WireRequest) => {
    const { path, knownIds } = await plannedPath(request, stored())
    return { known: [...knownIds], ids: path.map(({ entryId }) => entryId) }
  }

  it('is what the model is shown, however much came before', async () => {
    const request = asked([message(`e${ENTRIES - 1}`, 'assistant'), message('new', 'user')])
    const shown = [`e${ENTRIES - 2}`, `e${ENTRIES - 1}`, 'marker']
    expect(await idsOf(request)).to.deep.equal({ known: [], ids: shown })
    expect(read).to.equal(3)
  })

  it('is the whole path for a message that was there before, since it may be changed', async () => {
    const { known, ids } = await idsOf(asked([message('e10', 'user', 'other')]))
    expect(known).to.deep.equal(['e10'])
    expect(ids).to.have.length(ENTRIES + 1)
  })

  it('is the whole path for an answer that is to be given again', async () => {
    const { ids } = await idsOf(asked([], { regenerate: { messageId: 'e11' } }))
    expect(ids).to.have.length(ENTRIES + 1)
  })
})
