/** A file's bytes under their own SHA-256, in hexadecimal. */
export interface StoredFile {
  readonly hash: string
  readonly mediaType: string
  readonly name?: string
  readonly bytes: Uint8Array
}

export interface FileStorage {
  /** Keeps a file for a conversation, or for its owner alone; the same bytes are kept once. Answers the hash. */
  put(owner: string, file: Omit<StoredFile, 'hash'>, conversationId?: string): Promise<string>
  /** How many files a conversation has. */
  count(owner: string, conversationId: string): Promise<number>
  /** Keeps the files of a conversation for another one of the owner's as well. */
  share(owner: string, from: string, to: string): Promise<void>
  load(owner: string, hash: string): Promise<StoredFile | undefined>
  delete(owner: string, hash: string): Promise<boolean>
}

/** A config layer for each identity; secrets are never in it. */
export interface SettingsStorage {
  load(owner: string): Promise<{ readonly [key: string]: unknown } | undefined>
  save(owner: string, layer: { readonly [key: string]: unknown }, now: number): Promise<void>
  delete(owner: string): Promise<boolean>
}

/** An agent's definition; its id stays when its name changes. */
export interface StoredAgent {
  /** Unique among the owner's. */
  readonly id: string
  readonly owner: string
  /** Unique among the owner's. */
  readonly name: string
  readonly spec: { readonly [key: string]: unknown }
  readonly updatedAt: number
}

export interface AgentStorage {
  /** In order of name. */
  list(owner: string): Promise<readonly StoredAgent[]>
  load(owner: string, id: string): Promise<StoredAgent | undefined>
  loadByName(owner: string, name: string): Promise<StoredAgent | undefined>
  /** @throws {HostError} AGENT_NAME_TAKEN */
  upsert(agent: StoredAgent): Promise<void>
  /** @throws {HostError} AGENT_UNKNOWN, AGENT_NAME_TAKEN */
  rename(owner: string, id: string, name: string, now: number): Promise<void>
  delete(owner: string, id: string): Promise<boolean>
}

export type DocumentKind = 'memory' | 'skill' | 'manifest' | 'config' | 'costs'

export interface StoredDocument {
  readonly kind: DocumentKind
  readonly owner: string
  /** Unique among the owner's of its kind. */
  readonly name: string
  readonly content: unknown
  readonly updatedAt: number
}

export interface DocumentStorage {
  /** In order of name. */
  list(owner: string, kind: DocumentKind): Promise<readonly StoredDocument[]>
  load(owner: string, kind: DocumentKind, name: string): Promise<StoredDocument | undefined>
  save(document: StoredDocument): Promise<void>
  delete(owner: string, kind: DocumentKind, name: string): Promise<boolean>
}
