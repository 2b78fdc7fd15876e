/** How many items of each kind are stored of an owner. */
export interface Owned {
  readonly conversations: number
  /** With those of conversations, and with child runs. */
  readonly runs: number
  readonly files: number
  /** The values that plugins keep for the owner or for one of the owner's conversations. */
  readonly values: number
  /** 1 if there are settings. */
  readonly settings: number
  readonly agents: number
  /** What agents have learned, and costs. */
  readonly documents: number
  /** The tokens that were issued for the owner, also those that are not valid any more. */
  readonly tokens: number
}

/** Knows all that is stored of one owner, such as a person who leaves. */
export interface OwnerStorage {
  /** Counts what is stored of an owner. */
  count(owner: string): Promise<Owned>
  /**
   * Deletes all that is stored of an owner, in steps; tokens come first. Processes that use the storage may store
   * something new of the owner meanwhile. Counters go with their windows. Messages of the owner in conversations of other
   * owners stay.
   */
  forget(owner: string): Promise<void>
}
