export { MessageReader } from './message-reader.ts'
export {
  type DataPart,
  type FilePart,
  isData,
  isTool,
  type ProviderMetadata,
  type ReasoningPart,
  type SourcePart,
  steeringOf,
  type TextPart,
  type ToolPart,
  type ToolState,
  textOf,
  toolNameOf,
  type UiMessage,
  type UiMetadata,
  type UiPart,
} from './types.ts'
export { unhidden } from './unhidden.ts'
