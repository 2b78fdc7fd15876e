/** A request for a person's approval of one call, or for the answer to its question. LR-15, CT-31 */
export interface Approval {
  readonly id: string
  readonly owner: string
  readonly runId: string
  readonly conversationId?: string
  readonly callId: string
  /** The tool's name as the model uses it. */
  readonly tool: string
  readonly input: unknown
  /**
   * A SHA-256 hash of the run id, the call, the tool with its schema, and the arguments. The approval covers
   * exactly these.
   */
  readonly binding: string
  readonly requestedAt: number
  /** From this time on an answer does not count. */
  readonly expiresAt: number
  /** The call asks a question, which its input has. */
  readonly isQuestion?: boolean
  readonly answer?: StoredAnswer
}

export interface StoredAnswer {
  readonly approved: boolean
  readonly reason?: string
  /** The answer to a question. */
  readonly value?: unknown
  readonly answeredAt: number
}

/** The approvals for which runs wait. The end of a run's leg stores them. */
export interface ApprovalStorage {
  load(owner: string, id: string): Promise<Approval | undefined>
  /** The approvals of a run, in the order of their calls. */
  list(owner: string, runId: string): Promise<readonly Approval[]>
  /**
   * Stores the first answer; later ones are ignored. Returns the approval with the answer that counts, or undefined
   * if the approval does not exist, belongs to another owner, or expired unanswered.
   */
  answer(owner: string, id: string, answer: StoredAnswer): Promise<Approval | undefined>
}
