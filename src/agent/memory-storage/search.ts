import { ownTurn } from '@braidwork/core/internal'
import { type Entry, folded, hasWords, type SearchHit, searchedIn } from '../storage/index.ts'
import { pathUp } from './entries.ts'
import type { ConversationRow } from './tables.ts'

/** After this many characters, the search yields to the event loop. */
const AT_ONCE = 1 << 18

/** Yields the conversations whose history has a message with all words, with the last such message. */
export async function* searchRows(
  rows: Iterable<ConversationRow>,
  words: readonly string[],
): AsyncGenerator<SearchHit, void, undefined> {
  let since = 0
  for (const row of rows) {
    const searched = lastWith(row, words)
    if (searched.entry) yield { conversationId: row.conversation.id, entry: searched.entry }
    since += searched.characters
    if (since < AT_ONCE) continue
    await ownTurn()
    since = 0
  }
}

function lastWith(
  row: ConversationRow,
  words: readonly string[],
): { readonly entry?: Entry; readonly characters: number } {
  let characters = 0
  for (const entry of pathUp(row)) {
    const text = folded(searchedIn(entry))
    characters += text.length
    if (hasWords(text, words)) return { entry, characters }
  }
  return { characters }
}
