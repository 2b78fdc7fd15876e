export { type AgUiRequest, decodeAgUiRequest } from './decode.ts'
export { type AgUiStreamOptions, agUiEncoder } from './encoder.ts'
export { agUiErrorAnswer } from './error.ts'
export { AG_UI_CAN_RESET, AG_UI_HEADERS } from './events.ts'
