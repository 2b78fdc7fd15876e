export { isAsking } from './questions.ts'
export { ToolCall } from './tool-call.tsx'
