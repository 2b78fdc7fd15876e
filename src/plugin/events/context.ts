/** What a plugin may put into a request, beside what was said. `history` is earlier messages. LR-06 */
export const CONTEXT_KINDS = [
  'instructions',
  'memory',
  'knowledge',
  'file',
  'document',
  'resource',
  'policy',
  'session',
  'history',
] as const
export const CONTEXT_STATUSES = ['included', 'shortened', 'left_out', 'missing'] as const

/** Something that a plugin put into a request, left out of it, or did not find. */
export interface ContextReport {
  readonly kind: (typeof CONTEXT_KINDS)[number]
  /** What it is, for people: a path, an id or an address, never its text. */
  readonly ref: string
  /** The default is `included`. */
  readonly status?: (typeof CONTEXT_STATUSES)[number]
  /** Why it is not there, or not whole. */
  readonly reason?: string
}

/** A report, and the plugin that made it. The program around the host makes reports without a plugin. */
export type ContextItem = ContextReport & { readonly plugin?: string }

/** What a request to the model consists of, told before it is sent. Absent if nobody reports anything. LR-06 */
export interface ContextResolvedEvent {
  readonly type: 'context-resolved'
  readonly step: number
  readonly requestId: string
  readonly items: readonly ContextItem[]
  /** How many reports there were beyond those that a request may have. */
  readonly omitted: number
}
