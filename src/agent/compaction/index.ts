/** Compactions: when a conversation is compacted, where it is cut, and what takes the place of its older messages. */
export { archiveFile } from './archive.ts'
export {
  type Compacted,
  type CompactionOrder,
  compactConversation,
} from './compact-conversation.ts'
export { type CompactedMessages, compactMessages, replacementOf } from './compact-messages.ts'
export {
  type CompactionLimits,
  type CompactionPolicy,
  compactionPolicyOf,
  summaryModelOf,
} from './compaction-policy.ts'
export { COMPACTION_SCHEMA, type CompactionSection } from './compaction-section.ts'
export { type LegCut, type LegSoFar, legCutOf, newlyReplaced } from './leg-cut.ts'
export { OWN_COMPACTION, ownCompactionEvents } from './own-compaction.ts'
export { previewOf } from './shortened.ts'
export type { AskModel } from './summarize.ts'
export {
  type CompactedHistory,
  compactedTo,
  isCompactedHistory,
  type LegCompaction,
  leftBy,
  messagesAfter,
  shownBefore,
  stayingOf,
} from './within-run.ts'
