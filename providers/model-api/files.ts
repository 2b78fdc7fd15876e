import type { Context, FilePart, Message, ModelInfo, Part, ToolResultPart } from '@braidwork/plugin'
import { isPartList, nativeOf } from './content.ts'
import { providerError } from './errors.ts'
import type { Profile } from './profile.ts'

/** The files that an API accepts. */
export interface FileRules {
  readonly types: RegExp
  /** The largest file in bytes. Files given by URL are not measured. */
  readonly largest: number
  /** The largest image in bytes, if it differs. */
  readonly largestImage?: number
  /** The types in results of tools, if they differ. */
  readonly inResults?: RegExp
  /** Whether the API has a file itself, which is then not sent. */
  readonly isKept?: (file: FilePart) => boolean
  /** Why a file cannot be sent for another reason, as a sentence. */
  readonly faultOf?: (file: FilePart) => string | undefined
}

/** Why an API does not take a file that has only an address. */
export function onlyInline(api: string): string {
  return `${api} takes such a file only inline, and not by its address. Send its content.`
}

interface Around {
  readonly profile: Profile
  readonly model: string
  readonly modelInfo: ModelInfo
  readonly rules: FileRules
  readonly warn: Context['warn']
}

/**
 * Checks files against the API and the model. A refused file of the current turn (after the last answer) causes an
 * error. In earlier turns, another model may have accepted the file, so a text replaces it. In the result of a tool, a
 * text always replaces it, because nobody can send the message again without it; in the current turn with a warning.
 * @throws INVALID_REQUEST with the pointer of the file
 */
export function checkFiles(messages: readonly Message[], around: Around): readonly Message[] {
  const now = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  return messages.map((message, index) => {
    if (message.role === 'tool') {
      const warn = index >= now ? around.warn : () => undefined
      const parts = message.parts.map((part) => checkResult(part, { ...around, warn }))
      return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts }
    }
    const faults = message.parts.map((part) => faultOf(part, around))
    const at = faults.findIndex((fault) => fault !== undefined)
    if (at === -1) return message
    if (index >= now) throw refusal(String(faults[at]), `/messages/${index}/parts/${at}`)
    const parts = message.parts.map((part, place) => (faults[place] ? placeholder(part) : part))
    return { ...message, parts }
  })
}

function checkResult(part: Part, around: Around): Part {
  if (part.type !== 'tool-result') return part
  const { own, output } = nativeOf(part.output, around.profile)
  if (own !== undefined || !isPartList(output)) return part
  const { inResults: types = around.rules.types } = around.rules
  const rules = { ...around.rules, types }
  const faults = output.map((one) => faultOf(one, { ...around, rules }))
  const [fault] = faults.filter((one) => one !== undefined)
  if (fault === undefined) return part
  around.warn(`${fault} In the result of "${part.name}" it is only named.`)
  const parts = output.map((one, place) => (faults[place] ? placeholder(one) : one))
  return { ...part, output: parts } satisfies ToolResultPart
}

function refusal(fault: string, pointer: string): Error {
  return providerError('INVALID_REQUEST', fault, { pointer, retryable: false })
}

/** The text that replaces a file that cannot be sent. */
function placeholder(part: Part): Part {
  return part.type === 'file' ? { type: 'text', text: `[file ${labelOf(part)}]` } : part
}

function labelOf({ name, mediaType }: FilePart): string {
  return name === undefined ? mediaType : `${name}, ${mediaType}`
}

/** Why a file cannot be sent, as a sentence. */
function faultOf(part: Part, { profile, model, modelInfo, rules }: Around): string | undefined {
  if (part.type !== 'file' || rules.isKept?.(part)) return undefined
  const label = `The file (${labelOf(part)})`
  const { mediaType, data = '' } = part
  const kind = kindOf(mediaType)
  if (modelInfo.input && !modelInfo.input.includes(kind)) {
    return `${label} is of a kind that "${model}" does not take; it takes ${modelInfo.input.join(', ')}.`
  }
  if (!rules.types.test(mediaType)) {
    return `${label} is of a type that ${profile.title} does not take.`
  }
  const other = rules.faultOf?.(part)
  if (other !== undefined) return other
  const size = Math.floor((data.length * 3) / 4)
  const { largest, largestImage = largest } = rules
  const most = kind === 'image' ? largestImage : largest
  if (size <= most) return undefined
  return `${label} has ${inMegabytes(size)}; ${profile.title} takes at most ${inMegabytes(most)}.`
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** The modality of a media type, with the names of `modelInfo.input`. */
function kindOf(mediaType: string): string {
  const [kind = ''] = mediaType.split('/')
  return ['image', 'audio', 'video'].includes(kind) ? kind : 'file'
}
