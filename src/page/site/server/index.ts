export { type Ask, Client, type Tagged } from './client.ts'
export {
  type Conversation,
  type ConversationPage,
  type FoundMessage,
  type History,
  LONGEST_SEARCH,
  type Mark,
  type Reason,
  type Upload,
  type Versions,
} from './documents.ts'
export { type Fault, ServerError, UploadError } from './errors.ts'
export { type FaultTree, faultTree } from './fault-tree.ts'
export { framesOf } from './frames.ts'
export {
  changeSettings,
  forgetSettings,
  loadSettings,
  maySet,
  type Place,
  placeQuery,
  type SettingsChange,
  type SettingsView,
  type Values,
} from './settings.ts'
