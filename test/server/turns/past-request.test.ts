import { expect } from 'chai'
import { nodesOf, type PathNode } from '../../../src/agent/internal.ts'
import { HostError, type Message } from '../../../src/plugin/index.ts'
import { pastRequest } from '../../../src/server/turns/past-request.ts'

/** A path of messages, `u` of a user, `a` of the model, `t` of tools and `h` of the host, with their ids. */
function pathOf(ids: string, runs: { readonly [id: string]: string } = {}): readonly PathNode[] {
  return nodesOf(
    ids.split(' ').map((id, seq) => ({
      kind: 'message' as const,
      id,
      seq,
      createdAt: 0,
      message: messageOf(id),
      ...(runs[id] ? { runId: runs[id] } : {}),
    })),
  )
}

function messageOf(id: string): Message {
  const text = { type: 'text', text: id } as const
  if (id.startsWith('a')) return { role: 'assistant', parts: [text] }
  if (id.startsWith('t')) return { role: 'tool', parts: [] }
  const metadata = id.startsWith('h') ? { metadata: { insertedBy: 'host' } } : {}
  return { role: 'user', parts: [text], ...metadata }
}

const PATH = pathOf('u1 a1 u2 a2 t2 a3 h3 a4 u3 a5', { a2: 'r2', a3: 'r2', a4: 'r3' })

function found(messageId?: string, step?: number) {
  const { before, ...rest } = pastRequest(PATH, { messageId, step })
  return { before: before.map(({ entryId }) => entryId).join(' '), ...rest }
}

describe('the request behind a message', () => {
  it('is the one whose answer the message is', () => {
    expect(found('a2')).to.deep.equal({ before: 'u1 a1 u2', runId: 'r2', step: 1, lastStep: 3 })
    expect(found('a3')).to.include({ before: 'u1 a1 u2 a2 t2', step: 2 })
    expect(found('a1')).to.deep.equal({ before: 'u1', step: 1, lastStep: 1 })
  })

  it('is the one that brought about the results of tools', () => {
    expect(found('t2')).to.include({ before: 'u1 a1 u2', step: 1 })
  })

  it('is the first one that answers what a user said', () => {
    expect(found('u2')).to.include({ before: 'u1 a1 u2', runId: 'r2', step: 1, lastStep: 3 })
  })

  it('is the last one of the conversation by default', () => {
    expect(found()).to.deep.equal({
      before: 'u1 a1 u2 a2 t2 a3 h3 a4 u3',
      step: 1,
      lastStep: 1,
    })
  })

  it('is any other one of the answer where the step says so, also after a message of the host', () => {
    expect(found('a2', 2)).to.include({ before: 'u1 a1 u2 a2 t2', runId: 'r2', step: 2 })
    expect(found('a2', 3)).to.include({ before: 'u1 a1 u2 a2 t2 a3 h3', runId: 'r3', step: 3 })
  })

  it('is the next one where nothing has answered yet', () => {
    const { before, ...rest } = pastRequest(pathOf('u1 a1 u2'), {})
    expect([before.length, rest]).to.deep.equal([3, { step: 1, lastStep: 1 }])
  })

  it('is not there for a message that is not on the path, and for a step that the answer lacks', () => {
    const errors = [() => found('b'), () => found('a2', 4), () => pastRequest([], {})].map(errorOf)
    expect(errors).to.deep.equal([
      ['ENTRY_UNKNOWN', '/messageId'],
      ['REQUEST_INVALID', '/step'],
      ['ENTRY_UNKNOWN', undefined],
    ])
  })
})

function errorOf(act: () => unknown): readonly unknown[] {
  try {
    act()
  } catch (error) {
    if (HostError.is(error)) return [error.code, error.pointer]
  }
  return []
}
