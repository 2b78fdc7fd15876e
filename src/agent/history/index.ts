/** The history of a conversation: which messages of its entries the model is shown, and which a person. */
export { copiedEntries } from './copied-entries.ts'
export { deletedPart, isDeleted } from './deleted-parts.ts'
export {
  historyOf,
  historyOfNodes,
  loadShownNodes,
  type ShownPath,
  type StoredConversation,
  shownPath,
  withArchiveChecked,
} from './history.ts'
export { type CompactionSummary, markerMessage, summaryIn } from './marker-message.ts'
export {
  type MarkerNode,
  type MessageNode,
  nodesOf,
  type PathNode,
  shownMessages,
} from './path.ts'
