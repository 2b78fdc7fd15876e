import { canonical } from '@braidwork/core/internal'
import { type Message, type ToolCallPart, type ToolResultPart, textOf } from '@braidwork/plugin'
import { digestOf } from '../digest.ts'
import { isSaid } from '../host-message.ts'
import type { KeptFact } from '../storage/index.ts'
import { shortened } from './shortened.ts'

/** The longest text of a fact, in characters. */
const LONGEST = 300
/** The longest text of a message of the user, in characters. */
const LONGEST_SAID = 500

/**
 * The facts of compacted messages that stay known, whatever the summary says: errors of calls without a later success
 * of the same call, and references to results, files and sources (LR-08), and what the user said. A request to a person
 * that is open is in a call that is never compacted.
 * @param earlier the facts of the compaction before
 * @param rest the messages that stay: a success there also ends an error
 */
export function keptFacts(
  replaced: readonly Message[],
  rest: readonly Message[],
  earlier: readonly KeptFact[] = [],
): readonly KeptFact[] {
  const facts = new Map(earlier.map((fact) => [keyOf(fact), fact]))
  const calls = new Map<string, ToolCallPart>()
  for (const message of replaced) {
    for (const fact of [...evidenceIn(message), ...saidIn(message)]) put(facts, fact)
    noteCalls(message, calls, facts)
  }
  const later = new Map(calls)
  for (const message of rest) {
    noteSuccesses(message, later, facts)
    for (const fact of saidIn(message)) facts.delete(keyOf(fact))
  }
  return [...facts.values()].sort((left, right) => RANKS[left.type] - RANKS[right.type])
}

/** The later ones have room first. */
const RANKS: { readonly [T in KeptFact['type']]: number } = { said: 0, evidence: 1, incident: 2 }

function keyOf({ type, id }: Pick<KeptFact, 'type' | 'id'>): string {
  return `${type} ${id}`
}

function noteCalls(
  message: Message,
  calls: Map<string, ToolCallPart>,
  facts: Map<string, KeptFact>,
): void {
  noteSuccesses(message, calls, facts)
  for (const part of message.parts) {
    if (part.type !== 'tool-result' || !part.isError) continue
    put(facts, incidentOf(part, calls.get(part.callId)))
  }
}

/** The newest is the last. */
function put(facts: Map<string, KeptFact>, fact: KeptFact): void {
  facts.delete(keyOf(fact))
  facts.set(keyOf(fact), fact)
}

/** A call that succeeds ends the incident of the same call before. */
function noteSuccesses(
  { parts }: Message,
  calls: Map<string, ToolCallPart>,
  facts: Map<string, KeptFact>,
): void {
  for (const part of parts) {
    if (part.type === 'tool-call') calls.set(part.callId, part)
    if (part.type !== 'tool-result' || part.isError) continue
    facts.delete(keyOf({ type: 'incident', id: callDigest(part, calls.get(part.callId)) }))
  }
}

/** Two calls are the same if their tool and their arguments are. */
function callDigest({ name }: ToolResultPart, call: ToolCallPart | undefined): string {
  return digestOf([call?.name ?? name, call?.input ?? null])
}

function incidentOf(result: ToolResultPart, call: ToolCallPart | undefined): KeptFact {
  const name = call?.name ?? result.name
  const input = call ? shortened(canonical(call.input), LONGEST) : ''
  const output = typeof result.output === 'string' ? result.output : canonical(result.output)
  const text = `${name}(${input}): ${shortened(output, LONGEST)}`
  return { type: 'incident', id: callDigest(result, call), text: oneLine(text) }
}

/** A summary may lose what the user asked for or told once. */
function saidIn(message: Message): readonly KeptFact[] {
  if (!isSaid(message)) return []
  const text = oneLine(textOf(message))
  return text === ''
    ? []
    : [{ type: 'said', id: digestOf(text), text: shortened(text, LONGEST_SAID) }]
}

function evidenceIn(message: Message): readonly KeptFact[] {
  return message.parts.flatMap((part): readonly KeptFact[] => {
    if (part.type === 'source')
      return part.url === undefined ? [] : [evidence(part.url, part.title)]
    if (part.type === 'file') {
      return part.url === undefined ? [] : [evidence(part.url, part.name ?? part.mediaType)]
    }
    return part.type === 'tool-result' ? evidenceOfResult(part) : []
  })
}

function evidenceOfResult(part: ToolResultPart): readonly KeptFact[] {
  const { references = [], artifacts = [], evidence: sources = [], name } = part
  return [
    ...references.map(({ hash, mediaType, size }) =>
      evidence(hash, `stored result of ${name}, ${mediaType}, ${size} bytes`),
    ),
    ...artifacts.map(({ uri, title }) => evidence(uri, title ?? `made by ${name}`)),
    ...sources.map((source) => evidence(source, `source of ${name}`)),
  ]
}

function evidence(id: string, about?: string): KeptFact {
  const text = about === undefined ? id : `${id} (${shortened(about, LONGEST)})`
  return { type: 'evidence', id, text: oneLine(text) }
}

/** A fact is one line, so that no text of a tool can look like another fact. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
