import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import { replyOf } from '../../scripts/replay/recording.ts'
import { ReplayServer } from '../../scripts/replay/replay-server.ts'
import { configFor } from '../../scripts/replay/replayer.ts'
import { createHost, type Host, type Message } from '../../src/core/index.ts'
import { sampled } from '../helpers/cases.ts'
import { hasShared, SHARED_IS_MISSING } from '../helpers/recordings.ts'
import { type Subject, subjects } from '../hostile/answers.ts'
import { type Clients, clientsOf, finalOf, type Seen, seenOf } from './sdk-answers.ts'

type Aspect = keyof Seen | 'answer'

/** Where we differ from what a vendor's own helper makes of the same bytes, and why that is right. */
const DIFFERENCES: readonly { on: RegExp; in: readonly Aspect[]; because: string }[] = [
  {
    on: /chat\/refusal/,
    in: ['finishReason'],
    because: 'the API says "stop" beside a refusal, which the refusal itself belies',
  },
  {
    on: /legacy-function/,
    in: ['calls', 'finishReason'],
    because:
      'it reads the calls of today alone, and not the one call of old, nor its reason to stop',
  },
  {
    on: /thinking-in-content/,
    in: ['text'],
    because: 'it takes content for a text where Mistral sends a list of parts',
  },
  {
    on: /usage-of-groq/,
    in: ['usage'],
    because: 'it knows usage in one place alone, and Groq tells it in x_groq',
  },
  {
    on: /xai-(text|tool-call)\.chunks/,
    in: ['usage'],
    because: 'xAI counts the reasoning beside the output, as its total shows; our output has it',
  },
  {
    on: /anthropic-fallback-tool-call/,
    in: ['answer'],
    because: 'it fails where the deltas of a call leave out its index',
  },
  {
    on: /messages\/hosted/,
    in: ['calls'],
    because: 'it adds up the arguments of no call of an MCP server',
  },
  {
    on: /anthropic-compaction|messages\/hosted/,
    in: ['usage'],
    because: 'what the compaction itself took stands in the iterations alone, and is billed too',
  },
  {
    on: /client-tool-search/,
    in: ['finishReason'],
    because: 'a search that the client is to run waits for it, which only its "execution" tells',
  },
  {
    on: /openai-shell-(container|tool)\.1\.chunks\.txt(#1)?$/,
    in: ['answer'],
    because: 'it fails at events of a type that it does not know',
  },
  {
    on: /xai-x-search-tool/,
    in: ['finishReason'],
    because: 'the custom calls are searches of xAI, which it has run: no such tool was offered',
  },
]

describe("the vendors' own stream helpers, as a second opinion", () => {
  let server: ReplayServer
  let host: Host
  let clients: Clients
  before(async () => {
    server = await new ReplayServer().start()
    host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
    clients = clientsOf(server.url)
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  it('have the recordings of others to read', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  for (const subject of sampled(subjects('stream'), 4)) {
    const { name } = subject.recording
    const differences = DIFFERENCES.filter(({ on }) => on.test(name))
    const but = differences.map(({ in: aspects, because }) => `${aspects.join(', ')}: ${because}`)
    const title = but.length > 0 ? `${name} (but for ${but.join('; ')})` : name

    it(`agree: ${title}`, async () => {
      server.reply = () => replyOf(subject.recording)
      const ours = await messagesOf(subject).catch((error: Error) => error)
      const theirs = await finalOf(clients, subject).catch((error: Error) => error)
      const differs = new Set(differences.flatMap(({ in: aspects }) => aspects))
      if (ours instanceof Error || theirs instanceof Error) {
        const both = ours instanceof Error && theirs instanceof Error
        expect(both, String([ours, theirs])).to.equal(!differs.has('answer'))
        return
      }
      const seen = seenOf(ours, subject.place.api === 'responses')
      for (const aspect of Object.keys(theirs) as (keyof Seen)[]) {
        if (differs.has(aspect)) expect(seen[aspect], aspect).to.not.deep.equal(theirs[aspect])
        else expect(seen[aspect], aspect).to.deep.equal(theirs[aspect])
      }
    })
  }

  async function messagesOf({ place }: Subject): Promise<readonly Message[]> {
    const { messages, error } = await host.stream(configFor(place, server.url), 'Hello').result
    if (error) throw error
    return messages
  }
})
