/** A request for a person's approval of one call. LR-15 */
export interface Approval {
  readonly id: string
  readonly owner: string
  readonly runId: string
  readonly conversationId?: string
  readonly callId: string
  /** The tool as the model calls it. */
  readonly tool: string
  readonly input: unknown
  /** Hash of run, call, tool, its schema and the arguments: what is approved is this and nothing else. */
  readonly binding: string
  readonly requestedAt: number
  /** An answer from then on is none. */
  readonly expiresAt: number
  readonly answer?: StoredAnswer
}

export interface StoredAnswer {
  readonly approved: boolean
  readonly reason?: string
  readonly answeredAt: number
}

export interface ApprovalStorage {
  create(approvals: readonly Approval[]): Promise<void>
  load(owner: string, id: string): Promise<Approval | undefined>
  /** Of a run, in the order of their calls. */
  list(owner: string, runId: string): Promise<readonly Approval[]>
  /**
   * The first answer wins: gives the approval as it then is, or nothing where it is not there, not the
   * owner's, or has expired without an answer.
   */
  answer(owner: string, id: string, answer: StoredAnswer): Promise<Approval | undefined>
}
