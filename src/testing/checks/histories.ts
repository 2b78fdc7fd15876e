import { checkPairs, isMessage, type Message, type Part } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import {
  type Asked,
  type Harness,
  HISTORIES,
  LAST_WORDS,
  LOOKUP,
  PICTURE,
} from '../harness/index.ts'
import { needsScript } from './answers.ts'
import { type Check, done, fault, needs, textsIn, unjudged } from './check.ts'

const ABOUT = 'testing.md#histories'

const NAMES = [
  ['image', 'an image'],
  ['calls', 'tool calls and results'],
  ['failed call', 'a failed call'],
  ['reasoning', 'reasoning of another provider'],
  ['system', 'a system message'],
  ['turns', 'many turns'],
  ['characters', 'all kinds of characters'],
] as const

type HistoryName = (typeof NAMES)[number][0]

function questionOf(name: HistoryName) {
  const messages = HISTORIES[name] ?? []
  return name === 'calls' || name === 'failed call' ? { messages, tools: [LOOKUP] } : { messages }
}

/** @throws {NotJudged} if the API of a provider does not have what is in a history */
function needsOf(harness: Harness, name: HistoryName): void {
  if (name === 'image') needs(harness, 'images')
  if (name === 'calls' || name === 'failed call') needs(harness, 'tools')
}

const LACKS_IMAGES = ' If the API takes no images, pass "lacks": ["images"].'

const takes = NAMES.map(
  ([name, what]): Check => ({
    name: `takes a history with ${what}`,
    about: ABOUT,
    async run(harness) {
      needsOf(harness, name)
      for (const mode of ['send', 'stream'] as const) {
        done(await harness.ask(mode))
        const { status, error } = await harness.ask(mode, questionOf(name))
        const advice = name === 'image' ? LACKS_IMAGES : ''
        if (status !== 'done')
          fault(`The request ${status} with ${error?.code}: ${error?.message}${advice}`)
      }
    },
  }),
)

/** What reached the provider of the suite. */
async function arrived(harness: Harness, name: HistoryName): Promise<readonly Message[]> {
  const { sent } = done(await harness.ask('stream', questionOf(name)))
  const native = sent[0]?.native
  if (Array.isArray(native) && native.every(isMessage)) return native
  return unjudged('the native request is in the format of a provider')
}

function keeps(
  what: string,
  name: HistoryName,
  isKept: (messages: readonly Message[]) => boolean,
): Check {
  return {
    name: `keeps ${what} in a history`,
    about: ABOUT,
    async run(harness) {
      needsScript(harness)
      const messages = await arrived(harness, name)
      if (isKept(messages)) return
      fault(`The provider did not get ${what}: ${JSON.stringify(messages).slice(0, 1000)}`)
    },
  }
}

const has =
  (test: (part: Part) => boolean) =>
  (messages: readonly Message[]): boolean =>
    messages.some(({ parts }) => parts.some(test))

function isPaired(messages: readonly Message[]): boolean {
  try {
    checkPairs(messages)
    return true
  } catch {
    return false
  }
}

const KEEPS: readonly Check[] = [
  keeps(
    'images',
    'image',
    has((part) => part.type === 'file' && part.data === PICTURE),
  ),
  keeps(
    'tool calls',
    'calls',
    has((part) => part.type === 'tool-call' && part.callId === 'history-1'),
  ),
  keeps('calls together with their results', 'calls', isPaired),
  keeps(
    'failures of calls',
    'failed call',
    has((part) => part.type === 'tool-result' && part.isError === true),
  ),
  keeps(
    'metadata of other providers',
    'reasoning',
    has(({ providerMetadata }) => JSON.stringify(providerMetadata) === '{"foreign":{"id":"f"}}'),
  ),
  keeps('the system message', 'system', (messages) => textsIn(messages).includes('braided-style')),
  keeps('the last words', 'turns', (messages) => textsIn(messages).includes(LAST_WORDS)),
  keeps('all turns', 'turns', (messages) => textsIn(messages).includes('Message 7 of this chat.')),
]

/** Everything that left the provider: the bodies of its requests, or what its `call` and `stream` were given. */
export function leftWith(harness: Harness, { bodies, calls }: Asked): string {
  if (harness.api) return textsIn(bodies)
  const sent = calls.filter(({ hook }) => hook === 'stream' || hook === 'call')
  return textsIn(sent.map(({ args }) => [...args.slice(0, 2), ...localOf(args.at(-1))]))
}

/** The values that the provider keeps for a request. Those of a plugin in Python stay in its interpreter. */
function localOf(context: unknown): readonly unknown[] {
  const { local } = (context ?? {}) as { readonly local?: unknown }
  return local instanceof Map ? [...(local.values() as Iterable<unknown>)] : []
}

function sends(what: string, name: HistoryName, words: readonly string[]): Check {
  return {
    name: `sends ${what}`,
    about: 'hooks.md#tonative',
    async run(harness) {
      needsOf(harness, name)
      const left = leftWith(harness, done(await harness.ask('stream', questionOf(name))))
      const lost = words.find((word) => !left.includes(word))
      if (lost !== undefined) fault(`The request lacks ${JSON.stringify(lost)}.`)
    },
  }
}

const SENDS: readonly Check[] = [
  sends('the last words', 'turns', [LAST_WORDS]),
  sends('all turns of a chat', 'turns', ['Message 0 of', 'Message 7 of', 'Message 18 of']),
  sends('the system message', 'system', ['braided-style']),
  sends('images', 'image', [PICTURE]),
  sends('the words beside an image', 'image', [LAST_WORDS]),
  sends('the arguments of earlier tool calls', 'calls', ['Assam', 'Ceylon']),
  sends('the results of tools', 'calls', ['malty-result', 'citrus-result']),
  sends('the failures of tools', 'failed call', ['no such tea']),
  sends('all kinds of characters unharmed', 'characters', [
    '茶 😀 e\u0301 \u2028 "quoted" \\ <b> \u0007 tea',
  ]),
]

const ownAnswer: Check = {
  name: 'sends its own metadata back as it was',
  about: ABOUT,
  async run(harness) {
    const { messages } = done(await harness.ask('stream'))
    const own = messages
      .flatMap(({ parts }) => parts)
      .map(({ providerMetadata }) => providerMetadata)
    const texts = textsIn(own.map((metadata) => metadata?.[harness.name]))
      .split('\n')
      .filter((text) => text.length >= 16)
    const history: readonly Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      ...messages,
      { role: 'user', parts: [{ type: 'text', text: LAST_WORDS }] },
    ]
    const left = await leftAfter(harness, history)
    const lost = texts.find((text) => !left.includes(text))
    if (lost !== undefined) fault(`The provider does not send "${lost}" back, which it gave.`)
  },
}

async function leftAfter(harness: Harness, messages: readonly Message[]): Promise<string> {
  if (!isPaired(messages)) return unjudged('the answer has calls, which need results first')
  const asked = await harness.ask('stream', { messages })
  if (asked.status !== 'done') fault(`Its own answer fails as history: ${messageOf(asked.error)}`)
  return leftWith(harness, asked)
}

export const HISTORIES_OF_PROVIDERS: readonly Check[] = [...takes, ...SENDS, ownAnswer]
export const HISTORIES_OF_OTHERS: readonly Check[] = [...takes, ...KEEPS]
