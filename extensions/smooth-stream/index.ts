import type { Context, Extension } from '@braidwork/plugin'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'
import { Smoother } from './smoother.ts'

const SMOOTHER = 'smoother'

/** One an answer: words are cut anywhere between two chunks. */
function smootherOf(context: Context): Smoother {
  const known = context.local.get(SMOOTHER) as Smoother | undefined
  if (known) return known
  const smoother = new Smoother(readSettings(context.config))
  context.local.set(SMOOTHER, smoother)
  // No hook runs after a stream that fails or is cancelled; its signal aborts before its open parts are closed.
  context.signal.addEventListener('abort', () => release(smoother, context), { once: true })
  return smoother
}

function release(smoother: Smoother, { emit, log }: Context): void {
  try {
    for (const event of smoother.release()) emit(event)
  } catch (error) {
    // The part was never shown: its events were on their way when the request was cancelled.
    log({ level: 'debug', message: 'a word of a cancelled answer was dropped', error })
  }
}

export default {
  kind: 'extension',
  name: 'smooth-stream',
  // It holds words back; whoever pipes an answer on gains nothing by it.
  defaultEnabled: false,
  requiredTags: ['text'],
  configSchema: CONFIG_SCHEMA,

  processChunk(_chunk, partials, finals, native, state, context) {
    const events = partials.length === 0 ? partials : smootherOf(context).smooth(partials)
    return [events, finals, native, state]
  },
} satisfies Extension
