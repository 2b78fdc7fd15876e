import type { Conversation } from '@braidwork/agent'
import { bytesOf, type ListedConversation } from '@braidwork/agent/internal'
import { ifPresent, jsonIn, type NewRow, type Row } from './database.ts'

export function conversationIn(row: Row): Conversation {
  return { ...listedIn(row), metadata: jsonIn(row['metadata']) }
}

export function listedIn(row: Row): ListedConversation {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    agent: String(row['agent']),
    sender: String(row['sender']),
    ...ifPresent('title', row['title'], String),
    ...ifPresent('head', row['head'], String),
    ...ifPresent('expiresAt', row['expires_at'], Number),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  }
}

/** Converts a conversation to the row that {@link conversationIn} reads. */
export function conversationRow(conversation: Conversation): NewRow {
  const { id, owner, agent, sender, title = null, head = null, ...rest } = conversation
  const times = { created_at: rest.createdAt, updated_at: rest.updatedAt }
  const metadata = JSON.stringify(rest.metadata)
  return {
    id,
    owner,
    agent,
    sender,
    title,
    head,
    metadata,
    bytes: bytesOf(metadata, title),
    ...times,
    expires_at: rest.expiresAt ?? null,
  }
}
