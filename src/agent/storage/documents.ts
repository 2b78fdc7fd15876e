/** A file, identified by the SHA-256 of its bytes in hexadecimal. */
export interface StoredFile {
  readonly hash: string
  readonly mediaType: string
  readonly name?: string
  readonly bytes: Uint8Array
}

export interface FileStorage {
  /**
   * Stores a file for a conversation, or for the owner alone. Identical bytes are stored once. Returns the hash. With
   * `createdAt`, only the conversation that was created at that time takes it.
   * @throws {HostError} CONVERSATION_UNKNOWN with `createdAt`
   */
  put(
    owner: string,
    file: Omit<StoredFile, 'hash'>,
    conversationId?: string,
    createdAt?: number,
  ): Promise<string>
  /** The number of files that a conversation has. */
  count(owner: string, conversationId: string): Promise<number>
  /** Makes the files of one conversation belong to another conversation of the same owner as well. */
  share(owner: string, from: string, to: string): Promise<void>
  /** Whether there is a file of the owner, or one that a conversation has. Reads none of its bytes. */
  has(owner: string, hash: string, conversationId?: string): Promise<boolean>
  /** Loads a file of the owner, or one that a conversation has. */
  load(owner: string, hash: string, conversationId?: string): Promise<StoredFile | undefined>
  delete(owner: string, hash: string): Promise<boolean>
}

/** Stores one config layer per identity. It never contains secrets. */
export interface SettingsStorage {
  load(owner: string): Promise<{ readonly [key: string]: unknown } | undefined>
  save(owner: string, layer: { readonly [key: string]: unknown }, now: number): Promise<void>
  delete(owner: string): Promise<boolean>
}

/** The definition of an agent. Its id stays the same when its name changes. */
export interface StoredAgent {
  /** Unique per owner. */
  readonly id: string
  readonly owner: string
  /** Unique per owner. */
  readonly name: string
  readonly spec: { readonly [key: string]: unknown }
  readonly updatedAt: number
}

export interface AgentStorage {
  /** Sorted by name. */
  list(owner: string): Promise<readonly StoredAgent[]>
  load(owner: string, id: string): Promise<StoredAgent | undefined>
  loadByName(owner: string, name: string): Promise<StoredAgent | undefined>
  /**
   * @param check is given the stored agent that this one replaces, in the same transaction. If it throws, nothing is
   * stored
   * @throws {HostError} AGENT_NAME_TAKEN, and what `check` throws
   */
  upsert(agent: StoredAgent, check?: (before: StoredAgent | undefined) => void): Promise<void>
  /**
   * @param check as that of `upsert`
   * @throws {HostError} AGENT_UNKNOWN, AGENT_NAME_TAKEN, and what `check` throws
   */
  rename(
    owner: string,
    id: string,
    to: Pick<StoredAgent, 'name' | 'updatedAt'>,
    check?: (before: StoredAgent) => void,
  ): Promise<void>
  /**
   * Returns whether there was one.
   * @param check is given the stored agent, in the same transaction. If it throws, nothing is deleted
   */
  delete(owner: string, id: string, check?: (before: StoredAgent) => void): Promise<boolean>
}

export type DocumentKind = 'memory' | 'skill' | 'manifest' | 'config' | 'costs' | 'model'

export interface StoredDocument {
  readonly kind: DocumentKind
  readonly owner: string
  /** Unique per owner and kind. */
  readonly name: string
  readonly content: unknown
  readonly updatedAt: number
}

export interface DocumentStorage {
  /** Sorted by name. */
  list(owner: string, kind: DocumentKind): Promise<readonly StoredDocument[]>
  load(owner: string, kind: DocumentKind, name: string): Promise<StoredDocument | undefined>
  /**
   * @param check is given the stored document that this one replaces, in the same transaction. If it throws, nothing is
   * stored
   */
  save(
    document: StoredDocument,
    check?: (before: StoredDocument | undefined) => void,
  ): Promise<void>
  /**
   * Returns whether there was one.
   * @param check is given the stored document, in the same transaction. If it throws, nothing is deleted
   */
  delete(
    owner: string,
    kind: DocumentKind,
    name: string,
    check?: (before: StoredDocument) => void,
  ): Promise<boolean>
}
