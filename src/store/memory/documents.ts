import { createHash } from 'node:crypto'
import type {
  AgentStorage,
  Approval,
  ApprovalStorage,
  DocumentKind,
  DocumentStorage,
  FileStorage,
  SettingsStorage,
  StoredAgent,
  StoredAnswer,
  StoredDocument,
  StoredFile,
} from '../../agent/storage/index.ts'
import { agentNameTaken, agentUnknown } from '../faults.ts'
import type { Tables } from './tables.ts'

export function memoryApprovals({ approvals }: Tables): ApprovalStorage {
  const owned = (owner: string, id: string): Approval | undefined => {
    const approval = approvals.get(id)
    return approval?.owner === owner ? approval : undefined
  }
  return {
    create: async (given) => {
      for (const approval of given) approvals.set(approval.id, approval)
    },
    load: async (owner, id) => owned(owner, id),
    list: async (runId) => [...approvals.values()].filter((one) => one.runId === runId),
    answer: async (owner, id, answer: StoredAnswer) => {
      const approval = owned(owner, id)
      if (!approval || approval.answer) return approval
      if (answer.answeredAt >= approval.expiresAt) return undefined
      const answered = { ...approval, answer }
      approvals.set(id, answered)
      return answered
    },
  }
}

export function memoryFiles(tables: Tables): FileStorage {
  return {
    put: async (owner, file, conversationId) => {
      const hash = createHash('sha256').update(file.bytes).digest('hex')
      const stored: StoredFile = { ...file, bytes: Uint8Array.from(file.bytes), hash }
      const others = tables.files.filter(
        (row) =>
          row.owner !== owner || row.file.hash !== hash || row.conversationId !== conversationId,
      )
      tables.files = [...others, { owner, conversationId, file: stored }]
      return hash
    },
    load: async (owner, hash) =>
      tables.files.find((row) => row.owner === owner && row.file.hash === hash)?.file,
    delete: async (owner, hash) => {
      const rest = tables.files.filter((row) => row.owner !== owner || row.file.hash !== hash)
      const isThere = rest.length < tables.files.length
      tables.files = rest
      return isThere
    },
  }
}

export function memorySettings({ settings }: Tables): SettingsStorage {
  return {
    load: async (owner) => settings.get(owner)?.layer,
    save: async (owner, layer) => void settings.set(owner, { owner, layer }),
    delete: async (owner) => settings.delete(owner),
  }
}

export function memoryAgents({ agents }: Tables): AgentStorage {
  const owned = (owner: string, id: string): StoredAgent | undefined => {
    const agent = agents.get(id)
    return agent?.owner === owner ? agent : undefined
  }
  const named = (owner: string, name: string): StoredAgent | undefined =>
    [...agents.values()].find((agent) => agent.owner === owner && agent.name === name)
  const claim = ({ owner, name, id }: StoredAgent): void => {
    const other = named(owner, name)
    if (other && other.id !== id) throw agentNameTaken(name)
  }
  return {
    list: async (owner) =>
      [...agents.values()].filter((agent) => agent.owner === owner).sort(byName),
    load: async (owner, id) => owned(owner, id),
    loadByName: async (owner, name) => named(owner, name),
    upsert: async (agent) => {
      claim(agent)
      agents.set(agent.id, agent)
    },
    rename: async (owner, id, name, now) => {
      const agent = owned(owner, id)
      if (!agent) throw agentUnknown(id)
      const renamed = { ...agent, name, updatedAt: now }
      claim(renamed)
      agents.set(id, renamed)
    },
    delete: async (owner, id) => owned(owner, id) !== undefined && agents.delete(id),
  }
}

export function memoryDocuments({ documents }: Tables): DocumentStorage {
  const keyOf = (owner: string, kind: DocumentKind, name: string) =>
    JSON.stringify([owner, kind, name])
  return {
    list: async (owner, kind) =>
      [...documents.values()]
        .filter((document) => document.owner === owner && document.kind === kind)
        .sort(byName),
    load: async (owner, kind, name) => documents.get(keyOf(owner, kind, name)),
    save: async (document: StoredDocument) =>
      void documents.set(keyOf(document.owner, document.kind, document.name), document),
    delete: async (owner, kind, name) => documents.delete(keyOf(owner, kind, name)),
  }
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0
}
