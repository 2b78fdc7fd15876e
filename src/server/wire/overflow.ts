/** The tokens of a request that is too long for its model, and how many the model takes. */
export interface Overflow {
  readonly tokens?: number
  readonly most: number
}

/** How model APIs and plugins name the sizes. Only these numbers leave the server, no other word of the message. */
const SIZES: readonly RegExp[] = [
  /too long: (?<tokens>\d+) tokens > (?<most>\d+)/,
  /request \((?<tokens>\d+) tokens\) exceeds the available context size \((?<most>\d+)/,
  /messages are (?<tokens>\d+) tokens long, and (?<most>\d+) fit/,
  /maximum context length (?:is|of) (?<most>\d+) tokens\D{1,80}(?<tokens>\d+) tokens/,
  /maximum context length (?:is|of) (?<most>\d+)/,
]

/** Finds the sizes in the message of an error CONTEXT_OVERFLOW. */
export function overflowIn(message: string): Overflow | undefined {
  for (const sizes of SIZES) {
    const { tokens, most } = sizes.exec(message)?.groups ?? {}
    if (most === undefined) continue
    return { most: Number(most), ...(tokens === undefined ? {} : { tokens: Number(tokens) }) }
  }
  return undefined
}

interface Told {
  readonly code: string
  readonly message: string
  readonly overflow?: Overflow
}

/** The words of OpenAI for messages that are too long. Its clients recognize them by words. */
export function openAIMessage({ code, message, overflow }: Told): string {
  if (code !== 'CONTEXT_OVERFLOW') return message
  const most = overflow ? `${overflow.most} tokens` : 'smaller than the messages'
  const asked = overflow?.tokens ? `your messages resulted in ${overflow.tokens} tokens` : EXCEEDS
  return `This model's maximum context length is ${most}. However, ${asked}. ${REMEDY}`
}

const EXCEEDS = 'your input exceeds the context window of this model'
const REMEDY = 'Please reduce the length of the messages.'

/** The words of Anthropic for messages that are too long. Its clients recognize them by words, for there is no code. */
export function anthropicMessage({ code, message, overflow }: Told): string {
  if (code !== 'CONTEXT_OVERFLOW') return message
  if (overflow?.tokens === undefined) {
    const most = overflow ? ` of ${overflow.most} tokens` : ''
    return `prompt is too long: the messages exceed the context window${most} of the model`
  }
  return `prompt is too long: ${overflow.tokens} tokens > ${overflow.most} maximum`
}
