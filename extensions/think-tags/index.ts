import type { Context, Extension, Message } from '@braidwork/plugin'
import { splitMessages } from './parts.ts'
import { Rewriter } from './rewriter.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'

const REWRITER = 'rewriter'

/** One an answer: a tag may be cut anywhere between two chunks. */
function rewriterOf(context: Context): Rewriter {
  const { local, config, signal } = context
  const known = local.get(REWRITER) as Rewriter | undefined
  if (known) return known
  const rewriter = new Rewriter(readSettings(config))
  local.set(REWRITER, rewriter)
  // No hook runs after a stream that fails or is cancelled; its signal aborts before its open parts are closed.
  signal.addEventListener('abort', () => release(rewriter, context), { once: true })
  return rewriter
}

function release(rewriter: Rewriter, { emit, log }: Context): void {
  try {
    for (const event of rewriter.release()) emit(event)
  } catch (error) {
    // The part was never shown: its events were on their way when the request was cancelled.
    log({ level: 'debug', message: 'the end of a cancelled answer was dropped', error })
  }
}

export default {
  kind: 'extension',
  name: 'think-tags',
  // It takes words out of the answer's text. CONTRACT 1
  defaultEnabled: false,
  requiredTags: ['text'],
  configSchema: CONFIG_SCHEMA,

  processChunk(_chunk, partials, finals, native, state, context) {
    const events = partials.length === 0 ? partials : rewriterOf(context).rewrite(partials)
    return [events, finals, native, state]
  },

  // Events went through processChunk, where there is a memory.
  fromNative(_natives, core, { phase, config }) {
    return phase === 'finals'
      ? splitMessages(core as readonly Message[], readSettings(config))
      : core
  },
} satisfies Extension
