export {
  addressType,
  eventWithSafeAddresses,
  isFileAddress,
  isLink,
  nameOf,
  safeEvidence,
  withSafeAddress,
  withSafeAddresses,
} from './addresses.ts'
export { argumentsIn } from './call-arguments.ts'
export { CallNames } from './call-names.ts'
export {
  type AllowedTools,
  allowedTools,
  type ClientTool,
  clientTool,
  hostToolsIn,
  NO_MCP_SERVERS,
  strictIn,
  type ToolSpelling,
  toolsIn,
  uniqueTools,
  wordsOf,
} from './client-tools.ts'
export { conversationIdFault } from './conversation-id.ts'
export { defined } from './defined.ts'
export {
  Fields,
  fieldsOf,
  requestInvalid,
  settingsIn,
} from './fields.ts'
export {
  fileAt,
  fileOf,
  type GivenFile,
  hashOfUpload,
  typeOfName,
  UNKNOWN_TYPE,
} from './file-address.ts'
export { messagesIn } from './given-messages.ts'
export { type HostCall, hostCallsIn, SERVER_LABEL } from './host-calls.ts'
export { JoinedMessages } from './joined-messages.ts'
export { Line } from './line.ts'
export {
  anthropicModel,
  anthropicModels,
  type ListedModel,
  openAIModel,
  openAIModels,
} from './models.ts'
export {
  headersOf,
  openAIError,
  openAIErrorAnswer,
  openAIErrorFields,
  responsesErrorAnswer,
  retryHeaders,
} from './openai-error.ts'
export { anthropicMessage, openAIMessage } from './overflow.ts'
export { PartEncoder } from './part-encoder.ts'
export type { AnswerWriter, PartEnd, ShownPart } from './part-writer.ts'
export {
  type ApprovalAnswer,
  REASONING_SUMMARIES,
  type RequestSettings,
  type RunFacts,
  type StreamEncoder,
  type WireAnswer,
  type WireRequest,
} from './protocol.ts'
export { type PublicError, publicError, type ShownError } from './public-error.ts'
export { quoted, tame } from './quoted.ts'
export { endsRefused, finishOfRefusal, isRefusal } from './refusals.ts'
export { effortIn, formatOf, samplingOf, schemaPlaceIn } from './sampling.ts'
export { agentIn, sdkSettings } from './sdk-settings.ts'
export { canResetParts } from './shown-parts.ts'
export { sourcesBehind } from './sources.ts'
export { KEEP_ALIVE, sseData } from './sse.ts'
export { lastStepOf, withStepTexts } from './step-texts.ts'
export {
  outputOf,
  outputOfParts,
  outputTextOf,
  type ResultFacts,
  resultFacts,
} from './tool-output.ts'
export {
  customArguments,
  customInput,
  flatName,
  type ToolWord,
  type ToolWords,
} from './tool-words.ts'
export { unreadBelow } from './unread.ts'
export {
  type AnswerEncoder,
  errorOf,
  isClientCall,
  type ShownAnswer,
  WholeAnswer,
} from './whole-answer.ts'
