import type { Entry, Storage } from '@braidwork/agent'
import {
  type ConversationPage,
  folded,
  hasWords,
  type ListedConversation,
  messageIdOf,
  onOneLine,
  type SearchHit,
  searchedIn,
} from '@braidwork/agent/internal'
import type { Services } from '../context.ts'
import { orderOf } from '../run-order.ts'
import { type Excerpt, excerptOf, type Mark, marksIn } from './excerpt.ts'

/** The limits of one search: of the conversations that it looks at, and of its time in milliseconds. */
const MOST_SEARCHED = 5000
const LONGEST = 1000
/** The number of conversations that are read at once. */
const AT_ONCE = 96

interface Search extends ConversationPage {
  readonly owner: string
  /** Folded words. */
  readonly words: readonly string[]
  readonly limit: number
}

/** A conversation whose title or history has the words of a search. */
interface Found {
  readonly conversation: ListedConversation
  /** Where the words are in the title, if all are there. */
  readonly titleMarks?: readonly Mark[]
  /** The last message with the words. */
  readonly found?: FoundMessage
}

interface FoundMessage extends Excerpt {
  /** The id under which chat pages have the message. */
  readonly messageId: string
  readonly role: string
}

/**
 * Searches the conversations of an owner, the newest first. It ends with so many finds, and earlier at its limits.
 * @returns what was found, and the last conversation that was looked at unless it is the last of all
 */
export async function searched(
  { storage, environment }: Pick<Services, 'storage' | 'environment'>,
  { limit, before: first, ...search }: Search,
): Promise<{ readonly found: readonly Found[]; readonly last?: ListedConversation }> {
  const { owner } = search
  const end = environment.now() + LONGEST
  const found: Found[] = []
  let before = first
  for (let count = 0; count < MOST_SEARCHED && environment.now() < end; count += AT_ONCE) {
    const page = { limit: AT_ONCE, ...(before ? { before } : {}) }
    const some = await storage.conversations.list(owner, page)
    for await (const one of foundIn(some, storage, search)) {
      found.push(one)
      if (found.length === limit) return { found, last: one.conversation }
    }
    if (some.length < AT_ONCE) return { found }
    before = some.at(-1)
  }
  return { found, last: before as ListedConversation }
}

async function* foundIn(
  conversations: readonly ListedConversation[],
  storage: Storage,
  { owner, words }: Pick<Search, 'owner' | 'words'>,
): AsyncGenerator<Found, void, undefined> {
  const said = storage.conversations.search(owner, conversations, words)[Symbol.asyncIterator]()
  let next = await said.next()
  for (const conversation of conversations) {
    const message: SearchHit | undefined =
      !next.done && next.value.conversationId === conversation.id ? next.value : undefined
    const title = titleOf(conversation, words)
    if (message || title) {
      const told = message && { found: await toldOf(message.entry, storage, { owner, words }) }
      yield { conversation, ...title, ...told }
    }
    if (message) next = await said.next()
  }
}

function titleOf(
  { title = '' }: ListedConversation,
  words: readonly string[],
): Pick<Found, 'titleMarks'> | undefined {
  if (!hasWords(folded(onOneLine(title)), words)) return undefined
  return { titleMarks: marksIn(title, words) }
}

async function toldOf(
  entry: Entry,
  { runs }: Storage,
  { owner, words }: Pick<Search, 'owner' | 'words'>,
): Promise<FoundMessage> {
  const role = entry.kind === 'message' ? entry.message.role : ''
  const own = messageIdOf(entry) ?? entry.id
  const runId = entry.runId ?? entry.origin?.runId
  // The messages of a run are one answer on a page.
  const run = role === 'user' || runId === undefined ? undefined : await runs.load(owner, runId)
  const messageId = run ? orderOf(run).messageId : own
  return { messageId, role, ...excerptOf(searchedIn(entry), words) }
}
