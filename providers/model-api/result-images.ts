import type { FilePart, JsonObject, Message, Part } from '@braidwork/plugin'
import { isPartList, nativeOf } from './content.ts'
import type { Profile } from './profile.ts'

/** How an API is told messages. */
interface Writer {
  readonly write: (message: Message) => readonly JsonObject[]
  /** The images of a part that cannot have them itself, with a text that says whose they are. */
  readonly imagesOf: (part: Part) => readonly JsonObject[]
}

/**
 * Writes messages for an API whose tool results have only texts: their images follow as a message of the user, behind all
 * results of the step.
 */
export function withImagesBehind(
  messages: readonly Message[],
  { write, imagesOf }: Writer,
): readonly JsonObject[] {
  const native: JsonObject[] = []
  let images: JsonObject[] = []
  for (const [at, message] of messages.entries()) {
    native.push(...write(message))
    if (message.role !== 'tool') continue
    for (const part of message.parts) images.push(...imagesOf(part))
    if (images.length === 0 || messages[at + 1]?.role === 'tool') continue
    native.push({ role: 'user', content: images })
    images = []
  }
  return native
}

/** The images of a tool result, behind a text that says whose they are. None if the result has a form of the provider's own. */
export function resultImages(
  part: Part,
  profile: Profile,
  write: (image: FilePart) => readonly JsonObject[],
): readonly JsonObject[] {
  if (part.type !== 'tool-result') return []
  const { own, output } = nativeOf(part.output, profile)
  const images =
    own === undefined && isPartList(output) ? output.filter(isImage).flatMap(write) : []
  const text = `[The images in the result of "${part.name}", call "${part.callId}":]`
  return images.length > 0 ? [{ type: 'text', text }, ...images] : []
}

export function isImage(part: Part): part is FilePart {
  return part.type === 'file' && part.mediaType.startsWith('image/')
}

/**
 * Inserts a message of the assistant between tool results and a message of the user, for model APIs that require one
 * there. @param contentOf gives a text as the content of a message
 */
export function bridged(
  messages: readonly JsonObject[],
  contentOf: (text: string) => unknown,
): readonly JsonObject[] {
  const bridge = { role: 'assistant', content: contentOf('[The results were read.]') }
  return messages.flatMap((message, at) => {
    const isBehindTools = messages[at - 1]?.['role'] === 'tool'
    return isBehindTools && message['role'] === 'user' ? [bridge, message] : [message]
  })
}
