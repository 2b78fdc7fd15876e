import type { Conversation } from '../../agent/storage/index.ts'
import { ifPresent, jsonIn, type NewRow, type Row } from './database.ts'

/** The `conversationKey` of a row. */
export const CONVERSATION_KEY = `replace(replace(owner, '%', '%25'), '/', '%2F') || '/' || id`

export function conversationIn(row: Row): Conversation {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    agent: String(row['agent']),
    sender: String(row['sender']),
    ...ifPresent('title', row['title'], String),
    ...ifPresent('head', row['head'], String),
    metadata: jsonIn(row['metadata']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  }
}

/** What {@link conversationIn} reads. */
export function conversationRow(conversation: Conversation): NewRow {
  const { id, owner, agent, sender, title = null, head = null, ...rest } = conversation
  const times = { created_at: rest.createdAt, updated_at: rest.updatedAt }
  return {
    id,
    owner,
    agent,
    sender,
    title,
    head,
    metadata: JSON.stringify(rest.metadata),
    ...times,
  }
}
