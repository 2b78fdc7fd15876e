import { isDeepStrictEqual } from 'node:util'
import type { Message, Part, ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { lastStepOf, outputTextOf } from '../wire/index.ts'

/** An answer that ended with calls of the client's tools. */
export interface GivenAnswer {
  /** The digest of the history that it answers, as the client sent that. */
  readonly place: string
  /** The agent that gave it. */
  readonly agent: string
  /** All messages of the run, including those that the client never saw. */
  readonly messages: readonly Message[]
  readonly clientTools: ReadonlySet<string>
  /** Whether the client was shown the texts of the last step alone. */
  readonly holdsText?: boolean
  /** The ids of the host's calls, by the ids under which the client was shown them. */
  readonly shownIds?: ReadonlyMap<string, string>
}

/** An answer, with what a client may send back of it. */
export interface KeptAnswer extends GivenAnswer {
  /** The texts, without white space at their ends. */
  readonly texts: readonly string[]
  readonly reasoning: string
  /** The ids of the client's calls. */
  readonly callIds: ReadonlySet<string>
  /** All calls, by each id under which the client may send one back. */
  readonly calls: ReadonlyMap<string, ToolCallPart>
  /** The results of the host, by the ids of their calls. */
  readonly results: ReadonlyMap<string, ToolResultPart>
}

export function keptAnswer(given: GivenAnswer): KeptAnswer {
  const { messages, clientTools, holdsText, shownIds = new Map<string, string>() } = given
  const shown = partsOf(holdsText ? messages.slice(lastStepOf(messages)) : messages, 'assistant')
  const said = partsOf(messages, 'assistant')
  const made = said.filter((part) => part.type === 'tool-call')
  const calls = new Map(made.map((call) => [call.callId, call]))
  for (const [shown, callId] of shownIds) {
    const call = calls.get(callId)
    if (call) calls.set(shown, call)
  }
  const own = made.filter(
    ({ name, providerExecuted }) => !providerExecuted && clientTools.has(name),
  )
  return {
    ...given,
    texts: shown.flatMap((part) => (part.type === 'text' ? part.text.trim() || [] : [])),
    reasoning: textOf(said, 'reasoning'),
    callIds: new Set(own.map(({ callId }) => callId)),
    calls,
    results: new Map(resultsOf(messages).map((result) => [result.callId, result])),
  }
}

/**
 * Finds where an answer ends in a history in which it begins at `at`. Returns undefined unless all that the client sent
 * there is what it was shown: all texts, all its calls, and nothing else. White space at the ends of texts, the reasoning
 * and the host's calls may be missing, because clients drop these. The reasoning may also be text in tags.
 */
export function endOfAnswer(
  history: readonly Message[],
  at: number,
  kept: KeptAnswer,
): number | undefined {
  let end = at
  for (let next = history[end]; next && isPartOf(next, kept); next = history[end]) end++
  const parts = partsOf(history.slice(at, end), 'assistant')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
  const isWhole =
    isSaid(textOf(parts, 'text'), kept) &&
    parts.every((part) => isShown(part, kept)) &&
    calls.filter((id) => kept.callIds.has(id)).length === kept.callIds.size &&
    new Set(calls).size === calls.length &&
    resultsFrom(history, at, end).every((result) => isKnown(result, kept))
  return isWhole ? end : undefined
}

/** Whether a text consists of all texts of an answer, and perhaps of its reasoning in tags. */
function isSaid(sent: string, kept: KeptAnswer): boolean {
  let rest = sent.trimStart()
  for (const text of kept.texts) {
    if (!rest.startsWith(text)) rest = behindReasoning(rest, kept)
    if (!rest.startsWith(text)) return false
    rest = rest.slice(text.length).trimStart()
  }
  return behindReasoning(rest, kept) === ''
}

/** Removes reasoning of an answer in tags, such as `<think>`, from the start of a text. */
function behindReasoning(sent: string, { reasoning }: KeptAnswer): string {
  let rest = sent
  for (;;) {
    const tag = /^<([a-z_]{1,40})>/.exec(rest)
    if (tag === null) return rest
    const [begin, name] = tag
    const end = rest.indexOf(`</${name}>`)
    if (end < 0 || !reasoning.includes(rest.slice(begin.length, end).trim())) return rest
    rest = rest.slice(end + begin.length + 1).trimStart()
  }
}

/** Whether a message may be one of an answer: what the model said, or results of the host only. */
function isPartOf({ role, parts }: Message, kept: KeptAnswer): boolean {
  if (role !== 'tool') return role === 'assistant'
  return parts.every((part) => part.type === 'tool-result' && ofHost(part, kept) !== undefined)
}

/** Removes the results that are in an answer from a message behind it. */
export function withoutResults(message: Message, kept: KeptAnswer): readonly Message[] {
  const parts = message.parts.filter((part) => part.type !== 'tool-result' || !ofHost(part, kept))
  if (parts.length === message.parts.length) return [message]
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function ofHost({ callId }: ToolResultPart, { calls, results }: KeptAnswer) {
  return results.get(calls.get(callId)?.callId ?? '')
}

/** Whether a part that a client sent is one of the answer. Its texts are compared as a whole. */
function isShown(part: Part, { messages, reasoning, calls }: KeptAnswer): boolean {
  switch (part.type) {
    case 'text':
      return true
    case 'reasoning':
      return reasoning.includes(part.text)
    case 'tool-call': {
      const one = calls.get(part.callId)
      return one?.name === part.name && isDeepStrictEqual(one.input, part.input)
    }
    case 'file':
      return partsOf(messages, 'assistant').some(
        (one) => one.type === 'file' && one.data === part.data && one.url === part.url,
      )
    default:
      return false
  }
}

/** Whether a result is that of a call of the client, or the one that the client was shown. */
function isKnown(result: ToolResultPart, kept: KeptAnswer): boolean {
  const own = ofHost(result, kept)
  if (own === undefined || kept.callIds.has(own.callId)) return true
  const isSame = outputTextOf(own) === outputTextOf(result)
  return isSame && (own.isError ?? false) === (result.isError ?? false)
}

/** The results in an answer and directly behind it. */
function resultsFrom(
  history: readonly Message[],
  at: number,
  end: number,
): readonly ToolResultPart[] {
  let last = end
  while (history[last]?.role === 'tool') last++
  return resultsOf(history.slice(at, last))
}

function resultsOf(messages: readonly Message[]): readonly ToolResultPart[] {
  return partsOf(messages, 'tool').filter((part) => part.type === 'tool-result')
}

function textOf(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

function partsOf(messages: readonly Message[], role: Message['role']): readonly Part[] {
  return messages.flatMap((message) => (message.role === role ? message.parts : []))
}
