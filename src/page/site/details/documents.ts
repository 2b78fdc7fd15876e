/** The answer of `POST /api/conversations/{id}/dry-run`. */
export interface DryRun {
  readonly model: { readonly provider: string; readonly model?: string }
  /** The native request. */
  readonly request: unknown
  readonly steps: readonly DryRunStep[]
  /** Which request of the answer this is, from 1. */
  readonly step: number
  readonly lastStep: number
  /** The run of the answer was deleted: agent and settings are those of the next turn. */
  readonly isRunGone?: boolean
}

/** What one hook of a plugin did. */
export interface DryRunStep {
  readonly plugin: string
  readonly hook: string
  readonly of: 'state' | 'messages' | 'native'
  readonly changes: readonly Change[]
  readonly changesLeftOut?: number
}

/** Without `before` it was added, without `after` removed. */
export interface Change {
  /** A JSON pointer. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}
