import type { JsonObject } from '@braidwork/plugin'

/** A token of a caller, as it is stored: its hash, and never its secret. Times are in milliseconds since 1970. */
export interface StoredToken {
  readonly id: string
  /** The SHA-256 of the secret in hexadecimal. Unique. */
  readonly hash: string
  /** The first characters of the secret, by which people recognize it. */
  readonly prefix: string
  /** The identity that the token stands for, with its limits. */
  readonly identity: JsonObject
  readonly createdAt: number
  /** The time from which on the token is refused. Absent if it does not expire. */
  readonly expiresAt?: number
  /** The time of the last use that was stored. It may be a minute behind. */
  readonly lastUsedAt?: number
  readonly revokedAt?: number
}

/** Stores the tokens that were issued at run time. They are not part of an export. */
export interface TokenStorage {
  /**
   * The number of changes so far. It grows with each token that is created, revoked or deleted, so that a process
   * learns from one small statement whether the tokens that it knows are still valid.
   */
  revision(): Promise<number>
  /** Returns the token with a hash, also one that is revoked or expired. */
  find(hash: string): Promise<StoredToken | undefined>
  /** All tokens, also those that are revoked or expired; the oldest first. */
  list(): Promise<readonly StoredToken[]>
  create(token: StoredToken): Promise<void>
  /** Revokes a token. Returns false if there is none with this id. A revoked token keeps its first time. */
  revoke(id: string, now: number): Promise<boolean>
  /** Deletes a token. Returns whether there was one. */
  delete(id: string): Promise<boolean>
  /** Stores that tokens were used. An earlier time never replaces a later one. */
  use(ids: readonly string[], now: number): Promise<void>
  /** Deletes the tokens that were revoked or expired before a time. */
  prune(before: number): Promise<void>
}
