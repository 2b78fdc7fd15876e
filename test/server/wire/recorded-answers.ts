import anthropic from '../../../providers/anthropic/index.ts'
import openai from '../../../providers/openai/index.ts'
import openaiCompatible from '../../../providers/openai-compatible/index.ts'
import { replyOf } from '../../../scripts/replay/recording.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { configFor } from '../../../scripts/replay/replayer.ts'
import { run } from '../../../src/agent/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import type { Part, RunEvent, Usage } from '../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../src/server/wire/protocol.ts'
import { collect } from '../../helpers/hosts.ts'
import { type Subject, subjects } from '../../hostile/answers.ts'
import { factsOf } from './runs.ts'

/** What a recorded answer says, as far as clients can be told. */
export interface Recorded {
  readonly events: readonly RunEvent[]
  /** All calls that the provider did not run are the client's. */
  readonly facts: RunFacts
  readonly isFailed: boolean
  readonly finishReason: string
  readonly parts: readonly Part[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly usage: Usage
}

/** Recorded streams of model APIs, each read by its provider and run by the loop. */
export class RecordedAnswers {
  readonly #server: ReplayServer
  readonly #host: Host

  private constructor(server: ReplayServer, host: Host) {
    this.#server = server
    this.#host = host
  }

  static async start(): Promise<RecordedAnswers> {
    const host = await createHost({ plugins: [anthropic, openai, openaiCompatible] })
    return new RecordedAnswers(await new ReplayServer().start(), host)
  }

  async close(): Promise<void> {
    await this.#host.close()
    await this.#server.close()
  }

  async run({ place, recording }: Subject): Promise<Recorded> {
    this.#server.reply = () => replyOf(recording)
    const config = configFor(place, this.#server.url)
    const stream = run(this.#host, { config, messages: 'Hello', maxSteps: 1 })
    const events = await collect(stream)
    const { status, messages, usage, finishReason } = await stream.result
    const answers = messages.filter(({ role }) => role === 'assistant')
    const parts = answers.flatMap((message) => message.parts)
    const calls = parts.flatMap((part) =>
      part.type === 'tool-call' && !part.providerExecuted
        ? [{ id: part.callId, name: part.name, input: part.input }]
        : [],
    )
    return {
      events,
      facts: factsOf(...calls.map(({ name }) => name)),
      isFailed: status !== 'done',
      finishReason,
      parts,
      text: textIn(parts, 'text'),
      reasoning: textIn(parts, 'reasoning'),
      calls,
      usage,
    }
  }
}

/** Streams that were recorded, with a name to say in a title. */
export function recordedStreams(): readonly Subject[] {
  return subjects('stream')
}

function textIn(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

/** Arguments as a client reads them. */
export function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
