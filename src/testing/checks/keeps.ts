import type { Part } from '@braidwork/plugin'
import { ANSWERS, type Harness, LOOKUP, messagesOf } from '../harness/index.ts'
import { needsScript, stateIn } from './answers.ts'
import { type Check, done, fault, same, textsIn } from './check.ts'

type Take = (part: Part) => unknown

/** Compares what arrives of the parts of an answer with what the provider sent. */
function keeps(name: string, answer: string, take: Take, advice: string): Check {
  return {
    name: `keeps ${name}`,
    about: 'hooks.md#fromnative',
    async run(harness) {
      needsScript(harness)
      const { messages } = done(await harness.ask('send', { answer }))
      const sent = partsOf(messagesOf(ANSWERS[answer] ?? []))
        .map(take)
        .filter(isThere)
      const arrived = partsOf(messages).map(take).filter(isThere)
      same(arrived.slice(0, sent.length), sent, advice)
    },
  }
}

const isThere = (value: unknown): boolean => value !== undefined

function partsOf(messages: readonly { readonly parts: readonly Part[] }[]): readonly Part[] {
  return messages.flatMap(({ parts }) => parts)
}

const callIds: Take = (part) => (part.type === 'tool-call' ? part.callId : undefined)
const callInputs: Take = (part) =>
  part.type === 'tool-call' ? { name: part.name, input: part.input } : undefined
const ofType =
  (type: string): Take =>
  (part) =>
    part.type === type ? part : undefined

function keepsMetadata(name: 'usage' | 'finishReason', what: string): Check {
  return {
    name: `keeps the ${what} of an answer`,
    about: 'testing.md#usage',
    async run(harness) {
      needsScript(harness)
      const asked = done(await harness.ask('send', { answer: 'calls' }))
      const sent = messagesOf(ANSWERS['calls'] ?? []).at(-1)?.metadata?.[name]
      const told = asked[name]
      if (name === 'finishReason') return same(told, sent, `The ${what} is lost or changed.`)
      const { input, output } = asked.usage
      same({ input, output }, sent, `The ${what} is lost or changed: copy "metadata" of messages.`)
    },
  }
}

/** Each hook hands on the members of the state that it was given. */
const keepsState = (hook: string, at: number): Check => ({
  name: `keeps the state of others in ${hook}`,
  about: `hooks.md#${hook.toLowerCase()}`,
  async run(harness) {
    const { calls } = await harness.ask('stream')
    for (const { hook: ran, args, answer } of calls) {
      const given = args[at]
      const state = ran === hook ? stateIn(hook, answer) : undefined
      if (!state || typeof given !== 'object' || given === null) continue
      const lost = Object.keys(given).filter((key) => !(key in state))
      if (lost.length > 0)
        fault(`"${hook}" loses ${lost.join(', ')} of the state. Answer with {...state, …}.`)
    }
  },
})

const keepsTools: Check = {
  name: 'keeps the tools of a request',
  about: 'hooks.md#init',
  async run(harness: Harness) {
    needsScript(harness)
    const { sent, calls } = done(await harness.ask('stream', { tools: [LOOKUP] }))
    // The check of "init" or of another hook reports that it lost all of the state.
    const isLost = calls.some(({ hook, answer }) => {
      const state = stateIn(hook, answer)
      return state && !('offered' in state)
    })
    if (isLost || textsIn(sent.map(({ state }) => state)).includes(LOOKUP.name)) return
    fault(`The tool "${LOOKUP.name}" was offered, and the provider did not get it.`)
  },
}

const SHARED: readonly Check[] = [
  keeps('the ids of tool calls', 'calls', callIds, 'Ids of tool calls are lost or changed.'),
  keeps('the arguments of tool calls', 'calls', callInputs, 'Tool calls are lost or changed.'),
  keeps(
    'the metadata of a provider byte for byte',
    'owned',
    ({ providerMetadata }) => providerMetadata && JSON.stringify(providerMetadata),
    '"providerMetadata" of a part is lost or changed: copy parts with {...part}.',
  ),
  keeps('the sources of an answer', 'plain', ofType('source'), 'Sources are lost or changed.'),
  keeps('the files of an answer', 'file', ofType('file'), 'Files are lost or changed.'),
  keepsMetadata('usage', 'usage'),
  keepsMetadata('finishReason', 'finish reason'),
  keepsTools,
  keepsState('init', 1),
  keepsState('initializeRequest', 1),
  keepsState('finalize', 2),
]

export const KEEPS_OF_EXTENSIONS: readonly Check[] = [...SHARED, keepsState('processChunk', 4)]
export const KEEPS_OF_FEATURES: readonly Check[] = SHARED
