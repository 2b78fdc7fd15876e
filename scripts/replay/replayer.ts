import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import openaiCompatible from '../../providers/openai-compatible/index.ts'
import { type ConfigLayer, createHost, type Host, HostError } from '../../src/core/index.ts'
import type { Place } from './place.ts'
import { type Recording, type RecordingFile, replyOf } from './recording.ts'
import { ReplayServer } from './replay-server.ts'
import { type ShownAnswer, shown, shownFault } from './shown.ts'

/** Serves recordings on loopback to their providers. */
export class Replayer {
  readonly #server: ReplayServer
  readonly #host: Host

  private constructor(server: ReplayServer, host: Host) {
    this.#server = server
    this.#host = host
  }

  static async start(): Promise<Replayer> {
    const plugins = [anthropic, openai, openaiCompatible]
    return new Replayer(await new ReplayServer().start(), await createHost({ plugins }))
  }

  async close(): Promise<void> {
    await this.#host.close()
    await this.#server.close()
  }

  /** What the provider reads from each answer of a file. */
  async replay({ place, answers, fault }: RecordingFile): Promise<readonly ShownAnswer[]> {
    if (!place) return [shownFault('RECORDING_UNREADABLE', fault ?? 'the file is no recording')]
    const all: ShownAnswer[] = []
    for (const answer of answers) all.push(await this.#answer(answer, place))
    return all
  }

  async #answer(recording: Recording, place: Place): Promise<ShownAnswer> {
    this.#server.reply = () => replyOf(recording)
    const config = configFor(place, this.#server.url)
    if (recording.mode === 'stream') {
      return shown(await this.#host.stream(config, 'Hello').result)
    }
    try {
      return shown(await this.#host.send(config, 'Hello'))
    } catch (error) {
      return shownFailure(error)
    }
  }
}

/**
 * A config for a request to `url`. It contains no tools: providers take all that they need from the recorded answer.
 */
export function configFor({ provider, api, preset }: Place, url: string): ConfigLayer {
  const settings = {
    api_key: 'replay-needs-no-key',
    base_url: url,
    max_retries: 0,
    models: ['recorded'],
    ...(provider === 'openai' ? { api } : {}),
    ...(preset === undefined ? {} : { preset }),
  }
  return { provider, model: 'recorded', settings: { [provider]: settings } }
}

function shownFailure(error: unknown): ShownAnswer {
  if (!HostError.is(error)) return shownFault('REPLAY_FAILED', String(error))
  const messages = (error.partial ?? []) as Parameters<typeof shown>[0]['messages']
  return shown({ messages, finishReason: 'error', usage: {}, error })
}
