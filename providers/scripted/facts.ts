import type { NativeMessage } from './native.ts'
import { textOf } from './turn.ts'

/** A fact that a message states, such as "My name is Ada". */
export interface Fact {
  /** For example "my name". */
  readonly subject: string
  readonly verb: string
  /** For example "Ada". */
  readonly value: string
  readonly role: NativeMessage['role']
}

const LONGEST_SENTENCE = 300
const STATEMENT =
  /^(?:please |remember |note |know |that |and |but |so |hi,? |hello,? )*([^?]{1,80}?) (is|are|was|were) ([^?]{1,200})$/i
const QUESTION =
  /^(?:and |but |so )?(?:what|who|where|which|when)(?:'s| (is|are|was|were)) ([^?]{1,120})\?*$/i
const ASKING = /^(?:what|who|where|which|when|how|why|whose|is|are|was|were|do|does|can|if)\b/i

/** Only this many characters of a conversation, the newest, are searched for facts. */
const LONGEST_TOLD = 100_000

/** The facts that user and system messages state, in order. */
export function factsOf(messages: readonly NativeMessage[]): readonly Fact[] {
  const facts: (readonly Fact[])[] = []
  let rest = LONGEST_TOLD
  for (const message of messages.toReversed()) {
    if (rest <= 0) break
    if (message.role !== 'user' && message.role !== 'system') continue
    const text = textOf(message).slice(0, rest)
    rest -= text.length
    facts.push(sentencesOf(text).flatMap((sentence) => factOf(sentence, message.role) ?? []))
  }
  return facts.reverse().flat()
}

/** The subject of a question such as "What is my name?"; `undefined` for other texts. */
export function askedFor(text: string): string | undefined {
  for (const sentence of sentencesOf(text).reverse()) {
    const asked = QUESTION.exec(sentence)?.[2]
    if (asked !== undefined) return subjectOf(asked)
  }
  return undefined
}

/** The latest fact about a subject, or a fact with the subject as its value: "Bob is my brother". */
export function findFact(facts: readonly Fact[], subject: string): Fact | undefined {
  return (
    facts.findLast((fact) => subjectOf(fact.subject) === subject) ??
    facts.findLast((fact) => subjectOf(fact.value) === subject)
  )
}

/** A fact from the answering side's view: "Your name is Ada." */
export function sayFact({ subject, verb, value, role }: Fact): string {
  const [said, does, what] =
    role === 'user'
      ? [...turnRoundSubject(subject, verb), turnRound(value)]
      : [subject, verb, value]
  return `${said.charAt(0).toUpperCase()}${said.slice(1)} ${does} ${what}.`
}

/** Matches where a new clause begins, as opposed to another name in a list. */
const CLAUSE =
  '(?:I|we|he|she|they|what|who|where|which|when|how)\\b|(?:my|our|your|the|his|her) [^,.?!\\n]{1,40}? (?:is|are|was|were)\\b'
const BOUNDARY = new RegExp(
  `(?<=[?])|[.!](?=\\s|$)|\\n|,(?= (?:what|who|where|which|when)\\b)|,?(?= (?:and|but|so) (?:${CLAUSE}))`,
  'i',
)

export function sentencesOf(text: string): string[] {
  return text
    .split(BOUNDARY)
    .map((piece) => piece.trim())
    .filter(({ length }) => length > 0 && length <= LONGEST_SENTENCE)
}

function factOf(sentence: string, role: NativeMessage['role']): Fact | undefined {
  const match = ASKING.test(sentence) ? null : STATEMENT.exec(sentence)
  const [, subject, verb, value] = match ?? []
  if (subject === undefined || verb === undefined || value === undefined) return undefined
  return { subject, verb, value, role }
}

function subjectOf(text: string): string {
  const subject = text.toLowerCase().replace(/^(?:the|a|an) /, '')
  let end = subject.length
  while (/[\s,]/.test(subject[end - 1] ?? '')) end--
  return subject.slice(0, end)
}

const OTHER_SIDE: { readonly [word: string]: string } = {
  my: 'your',
  mine: 'yours',
  me: 'you',
  our: 'your',
  your: 'my',
  yours: 'mine',
}

/** Changes the person of subject and verb: "I was" becomes "you were". */
function turnRoundSubject(subject: string, verb: string): [subject: string, verb: string] {
  switch (subject.toLowerCase()) {
    case 'i':
      return ['you', 'were']
    case 'we':
      return ['you', verb]
    case 'you':
      return ['I', verb === 'are' ? 'am' : 'was']
    default:
      return [turnRound(subject), verb]
  }
}

function turnRound(text: string): string {
  return text.replace(
    /\b(?:my|mine|me|our|your|yours)\b/gi,
    (word) => OTHER_SIDE[word.toLowerCase()] ?? word,
  )
}
