import type { Context, Extension, Message, State } from '@braidwork/plugin'
import { splitMessages } from './parts.ts'
import { Rewriter } from './rewriter.ts'
import { CONFIG_SCHEMA, type ThinkTags } from './settings.ts'

const REWRITER = 'rewriter'

/** The rewriter of the current answer. It keeps tags that are split between chunks. */
function rewriterOf(context: Context<ThinkTags>): Rewriter {
  const { local, settings, signal } = context
  const known = local.get(REWRITER) as Rewriter | undefined
  if (known) return known
  const rewriter = new Rewriter(settings)
  local.set(REWRITER, rewriter)
  // No hook runs after a failed or cancelled stream. Its signal aborts while its parts are still open.
  signal.addEventListener('abort', () => release(rewriter, context), { once: true })
  return rewriter
}

function release(rewriter: Rewriter, { emit, log }: Pick<Context, 'emit' | 'log'>): void {
  try {
    for (const event of rewriter.release()) emit(event)
  } catch (error) {
    // Expected: the part's start was still in transit when the request was cancelled, so the part was never shown.
    log({ level: 'debug', message: 'the end of a cancelled answer was dropped', error })
  }
}

export default {
  kind: 'extension',
  name: 'think-tags',
  // Off by default, since it moves words out of the answer's text.
  defaultEnabled: false,
  requiredTags: ['text'],
  configSchema: CONFIG_SCHEMA,

  processChunk(_chunk, partials, finals, native, state, context) {
    const events = partials.length === 0 ? partials : rewriterOf(context).rewrite(partials)
    return [events, finals, native, state]
  },

  // A streamed answer already went through processChunk, which keeps state between chunks.
  fromNative(_natives, core, { phase, settings }) {
    return phase === 'finals' ? splitMessages(core as readonly Message[], settings) : core
  },
} satisfies Extension<unknown, State, unknown, ThinkTags>
