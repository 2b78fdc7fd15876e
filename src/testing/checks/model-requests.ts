import { FINISH_REASONS } from '@braidwork/plugin'
import { type Harness, type Lacking, LOOKUP } from '../harness/index.ts'
import { apiOf, type Check, done, fault, needs, textsIn, unjudged } from './check.ts'
import { leftWith } from './histories.ts'

const TOOLS_ABOUT = 'testing.md#tools-in-requests'
const USAGE_ABOUT = 'testing.md#usage'

/** The tool of a request reaches the model API. */
function sendsTool(what: string, mode: 'send' | 'stream', words: string): Check {
  return {
    name: `sends ${what} ${mode === 'send' ? 'for a whole answer' : 'with a stream'}`,
    about: TOOLS_ABOUT,
    async run(harness) {
      needs(harness, 'tools')
      const asked = done(await harness.ask(mode, { tools: [LOOKUP] }))
      if (leftWith(harness, asked).includes(words)) return
      fault(
        `A request with the tool "${LOOKUP.name}" lacks "${words}". Take "config.tools" in "init" into the request; if the API has no tools, pass "lacks": ["tools"].`,
      )
    },
  }
}

const noTools: Check = {
  name: 'sends no tools where none are offered',
  about: TOOLS_ABOUT,
  async run(harness) {
    done(await harness.ask('stream', { tools: [LOOKUP] }))
    const left = leftWith(harness, done(await harness.again('stream')))
    if (left.includes(LOOKUP.name)) fault('The tool of an earlier request is sent again.')
  },
}

/** How a provider tells facts of its answer. */
function tellIn(metadata: string, lacking: Lacking): string {
  return `Yield {"type": "metadata", "metadata": ${metadata}} at the end of the answer, or put it into the "metadata" of the message; if the API tells none, pass "lacks": ["${lacking}"].`
}

const endsWithReason = (mode: 'send' | 'stream'): Check => ({
  name: `says why ${mode === 'send' ? 'a whole answer' : 'a stream'} ended`,
  about: USAGE_ABOUT,
  async run(harness) {
    needs(harness, 'finishReason')
    const reason = (await lastMetadata(harness, mode))['finishReason']
    if (FINISH_REASONS.some((known) => known === reason)) return
    fault(
      `"metadata.finishReason" of the last message is ${JSON.stringify(reason)}, not one of ${FINISH_REASONS.join(', ')}. ${tellIn('{"finishReason": "stop"}', 'finishReason')}`,
    )
  },
})

const tellsUsage = (mode: 'send' | 'stream'): Check => ({
  name: `tells the tokens of ${mode === 'send' ? 'a whole answer' : 'a stream'}`,
  about: USAGE_ABOUT,
  async run(harness) {
    needs(harness, 'usage')
    const { usage } = done(await harness.ask(mode))
    const isThere = [usage.input, usage.output].every((count) => isCount(count))
    if (isThere) return
    fault(
      `The usage is ${JSON.stringify(usage)}. ${tellIn('{"usage": {"input": 5, "output": 4}}', 'usage')}`,
    )
  },
})

function isCount(count: unknown): boolean {
  return typeof count === 'number' && Number.isInteger(count) && count >= 0
}

async function lastMetadata(harness: Harness, mode: 'send' | 'stream') {
  const { messages } = done(await harness.ask(mode))
  return messages.at(-1)?.metadata ?? {}
}

const sendsModel: Check = {
  name: 'sends the model of the config',
  about: 'hooks.md#init',
  async run(harness) {
    apiOf(harness)
    const { host, config } = harness.trial
    const { model } = await host.resolve(config)
    const asked = done(await harness.ask('stream'))
    if (model === undefined) return unjudged('the config has no model')
    if (textsIn(asked.bodies).includes(model)) return
    fault(`The request lacks the model "${model}".`)
  },
}

export const REQUESTS_OF_PROVIDERS: readonly Check[] = [
  sendsTool('the names of tools', 'send', LOOKUP.name),
  sendsTool('the names of tools', 'stream', LOOKUP.name),
  sendsTool('the descriptions of tools', 'stream', LOOKUP.description),
  sendsTool('the schemas of tools', 'stream', 'The tea to look up.'),
  noTools,
  sendsModel,
  endsWithReason('send'),
  endsWithReason('stream'),
  tellsUsage('send'),
  tellsUsage('stream'),
]
