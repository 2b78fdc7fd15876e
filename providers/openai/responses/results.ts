import type { Profile } from '@braidwork/model-api'
import {
  addressOf,
  defined,
  isPartList,
  nativeOf,
  textIn,
  textOfOutput,
} from '@braidwork/model-api/exchange'
import {
  type FilePart,
  isObject,
  type JsonObject,
  type Part,
  type ToolResultPart,
} from '@braidwork/plugin'

/** Converts content of a user or a tool. Parts other than text and files are left out. */
export function contentOf(part: Part): readonly JsonObject[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }]
  return part.type === 'file' ? [fileContent(part)] : []
}

function fileContent(part: FilePart): JsonObject {
  const { mediaType, url, name } = part
  if (mediaType.startsWith('image/')) {
    return { type: 'input_image', image_url: addressOf(part), detail: 'auto' }
  }
  if (url !== undefined) return { type: 'input_file', file_url: url }
  return { type: 'input_file', filename: name ?? 'file', file_data: addressOf(part) }
}

/** Converts a tool result to the item that answers its call. The kind of call decides the form. */
export function resultItems(
  part: Part,
  profile: Profile,
  calls: ReadonlyMap<string, JsonObject>,
): readonly JsonObject[] {
  if (part.type !== 'tool-result') return []
  const call = calls.get(part.callId) ?? {}
  const { own, output } = nativeOf(part.output, profile)
  if (isObject(own) && textIn(own['type'])) return [own]
  const make = RESULTS.get(call['type']) ?? functionResult
  return [make({ part: { ...part, output: own ?? output }, call, isNative: own !== undefined })]
}

interface Result {
  readonly part: ToolResultPart
  /** The item of the call. */
  readonly call: JsonObject
  readonly isNative: boolean
}

type ResultMaker = (result: Result) => JsonObject

const functionResult: ResultMaker = ({ part, call, isNative }) => ({
  type: 'function_call_output',
  call_id: part.callId,
  output: isNative ? part.output : outputOf(part.output),
  ...defined({ caller: call['caller'] ?? undefined }),
})

/** Converters for results of calls that the host executes, by the type of the call item. */
const RESULTS: ReadonlyMap<unknown, ResultMaker> = new Map<unknown, ResultMaker>([
  [
    'custom_tool_call',
    ({ part }) => ({
      type: 'custom_tool_call_output',
      call_id: part.callId,
      output: outputOf(part.output),
    }),
  ],
  [
    'local_shell_call',
    ({ part }) => ({
      type: 'local_shell_call_output',
      id: part.callId,
      output: textOfOutput(part.output),
    }),
  ],
  [
    'shell_call',
    ({ part }) => ({ type: 'shell_call_output', call_id: part.callId, output: shellOutput(part) }),
  ],
  [
    'apply_patch_call',
    ({ part }) => ({
      type: 'apply_patch_call_output',
      call_id: part.callId,
      status: part.isError ? 'failed' : 'completed',
      output: textOfOutput(part.output),
    }),
  ],
  [
    'tool_search_call',
    ({ part }) => ({
      type: 'tool_search_output',
      call_id: part.callId,
      execution: 'client',
      status: 'completed',
      tools: isObject(part.output) ? part.output['tools'] : part.output,
    }),
  ],
  [
    'computer_call',
    ({ part }) => ({
      type: 'computer_call_output',
      call_id: part.callId,
      output: screenshot(part.output),
    }),
  ],
  [
    'mcp_approval_request',
    ({ part }) => ({
      type: 'mcp_approval_response',
      approval_request_id: part.callId,
      approve: isObject(part.output) ? part.output['approve'] === true : part.output === true,
    }),
  ],
])

function outputOf(output: unknown): unknown {
  return isPartList(output) ? output.flatMap(contentOf) : textOfOutput(output)
}

function shellOutput({ output, isError }: ToolResultPart): unknown {
  const list = isObject(output) ? output['output'] : output
  if (Array.isArray(list)) return list
  const [stdout, stderr] = isError ? ['', textOfOutput(output)] : [textOfOutput(output), '']
  return [{ stdout, stderr, outcome: { type: 'exit', exit_code: isError ? 1 : 0 } }]
}

function screenshot(output: unknown): unknown {
  const file = isPartList(output) ? output.find((part) => part.type === 'file') : undefined
  return file?.type === 'file'
    ? { type: 'computer_screenshot', image_url: addressOf(file) }
    : output
}
