import type { Context, Extension, State } from '@braidwork/plugin'
import { CONFIG_SCHEMA, type Smoothing } from './settings.ts'
import { Smoother } from './smoother.ts'

const SMOOTHER = 'smoother'

/** The smoother of the current answer. It keeps words that are split between chunks. */
function smootherOf(context: Context<Smoothing>): Smoother {
  const known = context.local.get(SMOOTHER) as Smoother | undefined
  if (known) return known
  const smoother = new Smoother(context.settings)
  context.local.set(SMOOTHER, smoother)
  // No hook runs after a failed or cancelled stream. Its signal aborts while its parts are still open.
  context.signal.addEventListener('abort', () => release(smoother, context), { once: true })
  return smoother
}

function release(smoother: Smoother, { emit, log }: Pick<Context, 'emit' | 'log'>): void {
  try {
    for (const event of smoother.release()) emit(event)
  } catch (error) {
    // Expected: the part's start was still in transit when the request was cancelled, so the part was never shown.
    log({ level: 'debug', message: 'a word of a cancelled answer was dropped', error })
  }
}

export default {
  kind: 'extension',
  name: 'smooth-stream',
  // Off by default: it delays words, which helps only readers who watch the answer arrive.
  defaultEnabled: false,
  requiredTags: ['text'],
  configSchema: CONFIG_SCHEMA,

  processChunk(_chunk, partials, finals, native, state, context) {
    const events = partials.length === 0 ? partials : smootherOf(context).smooth(partials)
    return [events, finals, native, state]
  },
} satisfies Extension<unknown, State, unknown, Smoothing>
