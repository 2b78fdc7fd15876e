import type { Config, Provider } from '@braidwork/plugin'
import { answerNamed, messagesOf } from './answers.ts'

export const SCENE = 'braidwork_answer'

/** What the test provider was sent. */
export interface Sent {
  readonly native: unknown
  readonly state: { readonly [key: string]: unknown }
}

/**
 * A provider for testing other plugins. It answers as `config.braidwork_answer` says, whole or piece by piece, and notes
 * in `sent` what it was sent. The answer `waiting` never ends by itself; `run` is one with calls until they have results.
 */
export function sceneProvider(name: string, tags: readonly string[], sent: Sent[]): Provider {
  return {
    kind: 'provider',
    name,
    getModels: () => ['any'],
    getTags: () => ['text', 'streaming', 'tools', ...tags],
    init: ({ tools = [] }) => ({ provider_mark: { kept: true }, offered: tools }),
    async call(native, state, { config, signal }) {
      sent.push({ native, state })
      if (sceneOf(config) === 'waiting') await untilAborted(signal)
      return [[], messagesOf(answerNamed(sceneFor(native, config))), native, state]
    },
    async *stream(native, state, { config, signal }) {
      sent.push({ native, state })
      for (const event of answerNamed(sceneFor(native, config))) {
        // Yields to other requests between two pieces, as a real provider does.
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
        yield event
        if (sceneOf(config) === 'waiting') await untilAborted(signal)
      }
    },
  }
}

function sceneOf(config: Config): string {
  return String(config[SCENE] ?? 'plain')
}

/** The answer to a native request, which has the results of earlier calls. */
function sceneFor(native: unknown, config: Config): string {
  const scene = sceneOf(config)
  if (scene !== 'run') return scene
  return JSON.stringify(native).includes('"tool-result"') ? 'plain' : 'calls'
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
  })
}
