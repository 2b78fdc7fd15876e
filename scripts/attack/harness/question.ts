/** A request body for a protocol. */
export interface Candidate {
  readonly what: string
  readonly path: string
  readonly body: string
}

/** The instructions for an attack that runs in a separate process. */
export interface AttackQuestion {
  readonly attack: string
  readonly url: string
  /** The process id of the attacked server. */
  readonly pid: number
  /** The tokens of the identities that the attack uses. */
  readonly tokens: readonly string[]
  /** Milliseconds in which the attack must end. */
  readonly budget: number
  /** 1 for the whole attack, less for a sample. */
  readonly scale: number
  /** The models that it may use; by default all. */
  readonly models?: readonly string[]
  /** The most expensive bodies, as found by an earlier attack. */
  readonly worst?: readonly Candidate[]
}
