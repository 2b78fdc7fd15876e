import type {
  Context as AnyContext,
  Extension,
  Message,
  Part,
  PartialEvent,
  State,
} from '@braidwork/plugin'
import { References } from './references.ts'
import { type Citing, CONFIG_SCHEMA } from './settings.ts'

type Context = AnyContext<Citing>

const REFERENCES = 'references'

/** The reference list of the current answer. It is created once per streamed answer. */
function referencesOf({ local }: Context): References {
  const known = local.get(REFERENCES) as References | undefined
  const references = known ?? new References()
  if (!known) local.set(REFERENCES, references)
  return references
}

function textEvents(id: string, delta: string): PartialEvent[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta },
    { type: 'text-end', id },
  ]
}

/** Adds citation marks to events. Returns the same list if it contains no citation. */
function markEvents(events: readonly PartialEvent[], context: Context): readonly PartialEvent[] {
  const { marks: hasMarks } = context.settings
  const references = referencesOf(context)
  let marked: PartialEvent[] | undefined
  for (const [at, event] of events.entries()) {
    const number = references.add(event)
    if (hasMarks && number !== undefined) {
      marked ??= events.slice(0, at)
      const count = (context.local.get('marks') as number | undefined) ?? 0
      context.local.set('marks', count + 1)
      marked.push(...textEvents(`citations:${count}`, `[${number}]`))
    }
    marked?.push(event)
  }
  return marked ?? events
}

function markMessage(message: Message, context: Context): Message {
  if (message.role !== 'assistant') return message
  const { marks: hasMarks, list: hasList } = context.settings
  const references = new References()
  const parts = message.parts.flatMap((part): readonly Part[] => {
    const number = references.add(part)
    return hasMarks && number !== undefined ? [{ type: 'text', text: `[${number}]` }, part] : [part]
  })
  const list = hasList ? references.list() : undefined
  return {
    ...message,
    parts: list === undefined ? parts : [...parts, { type: 'text', text: list }],
  }
}

function needsLook({ type }: PartialEvent): boolean {
  return !type.endsWith('-delta')
}

export default {
  kind: 'extension',
  name: 'citations',
  // Off by default, since it adds text to the answer.
  defaultEnabled: false,
  requiredTags: ['text'],
  configSchema: CONFIG_SCHEMA,

  processChunk(_chunk, partials, finals, native, state, context) {
    const events = partials.some(needsLook) ? markEvents(partials, context) : partials
    return [events, finals, native, state]
  },

  finalize(finals, native, state, { local, settings, emit }) {
    // Sources may arrive last, so the list is complete only here. An answer that was not streamed is read from its
    // finals.
    const references = local.get(REFERENCES) as References | undefined
    const list = settings.list ? references?.list() : undefined
    if (list !== undefined) for (const event of textEvents('citations:list', list)) emit(event)
    return [finals, native, state]
  },

  // A streamed answer already went through processChunk, which keeps state between chunks.
  fromNative(_natives, core, context) {
    if (context.phase !== 'finals') return core
    return (core as readonly Message[]).map((message) => markMessage(message, context))
  },
} satisfies Extension<unknown, State, unknown, Citing>
