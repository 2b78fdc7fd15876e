import type { Candidate } from '../largest-bodies.ts'

/** What an attack in a process of its own is told. */
export interface AttackQuestion {
  readonly attack: string
  readonly url: string
  /** The attacked process. */
  readonly pid: number
  /** Of the identities that it comes as. */
  readonly tokens: readonly string[]
  /** Milliseconds in which it is to be over. */
  readonly budget: number
  /** 1 for all of it, less for a sample. */
  readonly scale: number
  /** The models that it may ask for; all where it is not said. */
  readonly models?: readonly string[]
  /** The bodies that an attack before found to cost most. */
  readonly worst?: readonly Candidate[]
}
