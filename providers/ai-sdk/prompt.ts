import {
  argumentsObject,
  bridged,
  defined,
  factsOf,
  foreignText,
  isPartList,
  nativeOf,
  type Profile,
  resultImages,
  textOfOutput,
  withImagesBehind,
  withoutLastReasoning,
} from '@braidwork/model-api/exchange'
import {
  type FilePart,
  isObject,
  type JsonObject,
  type Message,
  type Part,
  type ToolResultPart,
  textOf,
} from '@braidwork/plugin'
import type { Taken } from './packages.ts'

interface Around {
  readonly profile: Profile
  readonly taken: Taken
}

/**
 * The prompt as JSON, in the form of version 7: addresses of files are texts. `versions.ts` makes the form of each. Where
 * a package has no files in results, their images follow as a message of the user, behind all results of the step.
 */
export function promptOf(messages: readonly Message[], around: Around): readonly JsonObject[] {
  const { profile, taken } = around
  const prompt = withImagesBehind(messages, {
    write: (message) => promptMessages(message, around),
    imagesOf: (part) =>
      hasOwnImages(part, taken) ? [] : resultImages(part, profile, (file) => [filePart(file)]),
  })
  return taken.needsBridge ? bridged(prompt, (text) => [{ type: 'text', text }]) : prompt
}

/** Whether the images of a result are in the result. An error is a text. */
function hasOwnImages(part: Part, { inResults }: Taken): boolean {
  return inResults !== undefined && isResult(part) && !part.isError
}

function promptMessages(message: Message, around: Around): readonly JsonObject[] {
  const { role, parts } = message
  if (role === 'system') {
    const content = textOf(message)
    return content === '' ? [] : [{ role, content }]
  }
  if (role === 'assistant') return messageOf(role, assistantParts(parts, around))
  const results = role === 'tool' ? parts.filter(isResult) : []
  const others = parts.filter((part) => !results.some((result) => result === part))
  return [
    ...messageOf(
      'tool',
      results.map((part) => resultPart(part, around)),
    ),
    ...messageOf(
      'user',
      others.flatMap((part) => userPart(part)),
    ),
  ]
}

function messageOf(role: string, content: readonly JsonObject[]): readonly JsonObject[] {
  return content.length > 0 ? [{ role, content }] : []
}

function isResult(part: Part): part is ToolResultPart {
  return part.type === 'tool-result'
}

function userPart(part: Part): readonly JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'file') return [filePart(part)]
  const text = foreignText(part)
  return text === undefined ? [] : [{ type: 'text', text }]
}

function assistantParts(parts: readonly Part[], around: Around): readonly JsonObject[] {
  const sent = parts.flatMap((part): readonly JsonObject[] => {
    const facts = factsOf(part, around.profile)
    const sent = assistantPart(part, facts, around)
    return sent ? [{ ...sent, ...defined({ providerOptions: facts?.['metadata'] }) }] : []
  })
  return withoutLastReasoning(sent, (part) => part['type'] === 'reasoning')
}

/** What another provider thought is left out, and what it executed becomes text. */
function assistantPart(
  part: Part,
  facts: JsonObject | undefined,
  around: Around,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return facts && { type: 'reasoning', text: part.text }
    case 'file':
      return ownFilePart(part, facts)
    case 'data':
      return facts?.['kind'] === 'custom' ? { type: 'custom', kind: part.name } : undefined
    case 'source':
      return undefined
    default:
      return part.providerExecuted && !facts
        ? { type: 'text', text: foreignText(part) ?? '' }
        : toolPart(part, around)
  }
}

/** A file that another provider made is only named. */
function ownFilePart(part: FilePart, facts: JsonObject | undefined): JsonObject {
  if (!facts) return { type: 'text', text: `[file ${part.name ?? part.mediaType}]` }
  return { ...filePart(part), ...(facts['kind'] ? { type: facts['kind'] } : {}) }
}

function toolPart(
  part: Extract<Part, { type: 'tool-call' | 'tool-result' }>,
  around: Around,
): JsonObject {
  if (part.type === 'tool-result') return resultPart(part, around)
  const { callId: toolCallId, name: toolName, providerExecuted } = part
  const input = argumentsObject(part.input)
  return { type: 'tool-call', toolCallId, toolName, input, ...defined({ providerExecuted }) }
}

function resultPart(part: ToolResultPart, around: Around): JsonObject {
  const { callId: toolCallId, name: toolName } = part
  return { type: 'tool-result', toolCallId, toolName, output: outputOf(part, around) }
}

function outputOf(part: ToolResultPart, { profile, taken }: Around): JsonObject {
  const { output: given, isError } = part
  const { own, output } = nativeOf(given, profile)
  if (isObject(own) && typeof own['type'] === 'string') return own
  if (typeof output === 'string') return { type: isError ? 'error-text' : 'text', value: output }
  if (!isPartList(output)) return { type: isError ? 'error-json' : 'json', value: output ?? null }
  if (isError) return { type: 'error-text', value: textOfOutput(output) }
  if (!taken.inResults) return { type: 'text', value: textOfOutput(output) }
  return { type: 'content', value: output.flatMap((part) => userPart(part)) }
}

const DATA_URL = /^data:[^,]*;base64,/i

function filePart({ mediaType, data, url = '', name: filename }: FilePart): JsonObject {
  const content = data ?? (DATA_URL.test(url) ? url.slice(url.indexOf(',') + 1) : undefined)
  const found = content === undefined ? { type: 'url', url } : { type: 'data', data: content }
  return { type: 'file', mediaType, data: found, ...defined({ filename }) }
}
