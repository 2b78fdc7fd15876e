import { type ListedConversation, wordsIn } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { RouteContext, Services } from '../context.ts'
import { searched } from '../conversations/index.ts'
import { OwnFields } from '../own-fields.ts'

const MOST_LISTED = 200
const LONGEST_SEARCH = 200

/** Lists the conversations of the caller, or those of them in which something was said. @throws {HostError} REQUEST_INVALID */
export async function listed(c: RouteContext, services: Services): Promise<object> {
  const input = new OwnFields(c.req.query())
  const limit = Math.min(input.count('limit') ?? 50, MOST_LISTED)
  const before = cursorOf(input.text('before'))
  const page = { limit, ...(before ? { before } : {}) }
  const { id: owner } = c.get('identity')
  const words = wordsIn(input.text('search', LONGEST_SEARCH) ?? '')
  if (words.length > 0) {
    const { found, last } = await searched(services, { owner, words, ...page })
    const conversations = found.map(({ conversation, ...told }) => ({
      ...shownOf(conversation),
      ...told,
    }))
    return { conversations, ...(last ? { next: nextOf(last) } : {}) }
  }
  const all = await services.storage.conversations.list(owner, page)
  const last = all.length === limit ? all.at(-1) : undefined
  return { conversations: all.map(shownOf), ...(last ? { next: nextOf(last) } : {}) }
}

export function shownOf({ owner: _, sender: __, ...conversation }: ListedConversation): object {
  return conversation
}

function nextOf({ updatedAt, id }: ListedConversation): string {
  return `${updatedAt}.${id}`
}

function cursorOf(given: string | undefined) {
  const [, updatedAt, id] = /^(\d{1,15})\.(.{1,200})$/.exec(given ?? '') ?? []
  if (given !== undefined && id === undefined) {
    throw new HostError('REQUEST_INVALID', '"before" must be the "next" of the previous page.', {
      pointer: '/before',
    })
  }
  return id === undefined ? undefined : { updatedAt: Number(updatedAt), id }
}
