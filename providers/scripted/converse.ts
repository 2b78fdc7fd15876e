import { askedFor, factsOf, findFact, sayFact, sentencesOf } from './facts.ts'
import type { NativeMessage } from './native.ts'
import type { ScriptedRequest } from './request.ts'
import { type Turn, textOf } from './turn.ts'

type Reply = (request: ScriptedRequest, turn: Turn) => string | undefined

/** The reply without a model and without tools: a fact from the transcript, or what this provider is. */
export function converse(request: ScriptedRequest, turn: Turn): string {
  for (const reply of REPLIES) {
    const text = reply(request, turn)
    if (text !== undefined) return text
  }
  return introduce(request, turn)
}

const lookUpFact: Reply = ({ messages }, { asked }) => {
  const subject = askedFor(asked)
  const fact = subject === undefined ? undefined : findFact(factsOf(messages), subject)
  return fact && sayFact(fact)
}

const FIRST = /\bmy first (?:message|question)\b|\bwhat did i (?:say|ask|write) first\b/i
const BEFORE =
  /\bmy (?:last|previous) (?:message|question)\b|\bwhat did i (?:just )?(?:say|ask|write)\b/i
const HOW_MANY = /\bhow many messages\b/i
const GREETING = /^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[^?]{0,40}$/i

const IDENTITY =
  /\b(?:who|what) are you\b|\bwhat can you do\b|\b(?:what|which) tools\b|\bare you (?:an? )?(?:ai|llm|bot|model|human|person)\b/i
const THANKS = /^(?:thanks|thank you)\b[^?]{0,40}$/i
const FAREWELL = /^(?:bye|goodbye|see you)\b[^?]{0,40}$/i

const quoteFirst: Reply = ({ messages }, { asked }) =>
  FIRST.test(asked) ? quote('first', usersTexts(messages)[0]) : undefined

const quoteBefore: Reply = ({ messages }, { asked }) =>
  BEFORE.test(asked) ? quote('last', usersTexts(messages).at(-2)) : undefined

const countMessages: Reply = ({ messages }, { asked }) =>
  HOW_MANY.test(asked)
    ? `This conversation has ${count(messages.length, 'message')} so far.`
    : undefined

const greet: Reply = (request, { asked }) =>
  GREETING.test(asked.trim()) ? `Hello! ${whatItIs(request)}` : undefined

const sayWhatItIs: Reply = (request, { asked }) =>
  IDENTITY.test(asked) ? whatItIs(request) : undefined

const takeLeave: Reply = (_request, { asked }) => {
  if (THANKS.test(asked.trim())) return 'You are welcome.'
  return FAREWELL.test(asked.trim()) ? 'Goodbye.' : undefined
}

const takeNote: Reply = ({ messages }, { asked }) => {
  if (asked.includes('?')) return undefined
  const facts = factsOf(messages.slice(-1).filter(({ role }) => role === 'user'))
  return facts.length === 0 ? undefined : `Noted. ${facts.map(sayFact).join(' ')}`
}

const REPLIES: readonly Reply[] = [
  lookUpFact,
  quoteFirst,
  quoteBefore,
  countMessages,
  greet,
  sayWhatItIs,
  takeLeave,
  takeNote,
]

function introduce(request: ScriptedRequest, { asked }: Turn): string {
  const topic = topicOf(asked)
  const known = factsOf(request.messages).length
  const start = topic === '' ? '' : `I cannot answer "${topic}": `
  const state = `I see ${count(request.messages.length, 'message')}${filesIn(request)}`
  const facts = known === 0 ? '' : ` with ${count(known, 'fact')} to look up`
  return `${start}${topic === '' ? whatItIs(request) : lowerFirst(whatItIs(request))} ${state}${facts}.`
}

function whatItIs({ tools }: ScriptedRequest): string {
  const offered =
    tools.length === 0
      ? 'No tools are offered to me.'
      : `I can call ${tools.map(({ name }) => name).join(', ')}.`
  return `There is no model behind me; I am the scripted provider, and answer by a script or from this conversation. ${offered}`
}

/** The last sentence of a text, shortened. */
function topicOf(text: string): string {
  const last = sentencesOf(text).at(-1) ?? text.trim()
  const sentence = last.replace(/^(?:and|but|so) /i, '')
  return sentence.length > 80 ? `${Array.from(sentence).slice(0, 79).join('')}…` : sentence
}

function filesIn({ messages }: ScriptedRequest): string {
  const files = messages.flatMap(({ content }) => content.filter((part) => part.type === 'file'))
  return files.length === 0 ? '' : ` and ${count(files.length, 'file')}`
}

function usersTexts(messages: readonly NativeMessage[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(textOf)
}

function quote(which: string, text: string | undefined): string {
  return text === undefined
    ? 'This is your first message.'
    : `Your ${which} message was "${text.trim()}".`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
