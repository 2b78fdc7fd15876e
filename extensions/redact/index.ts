import type { Context, Extension, Message } from '@braidwork/plugin'
import { Finder } from './find.ts'
import { mapMessages } from './map-texts.ts'
import { redactAdded } from './redact-added.ts'
import { EventRestorer } from './restore-events.ts'
import { CONFIG_SCHEMA, readSettings } from './settings.ts'
import { Table } from './table.ts'
import { type Written, writtenInText } from './written.ts'

const TABLE = 'table'
const EVENTS = 'events'
const EDITED = 'edited'

/** The table of a request, and of nothing but it: `local` is dropped with the request. */
function tableOf({ local }: Context): Table | undefined {
  const table = local.get(TABLE)
  return table instanceof Table ? table : undefined
}

function eventsOf({ local }: Context): EventRestorer | undefined {
  const events = local.get(EVENTS)
  return events instanceof EventRestorer ? events : undefined
}

/** No hook runs after a stream that fails or is cancelled; its signal aborts before its open parts are closed. */
function releaseAtEnd(events: EventRestorer, { signal, emit, log }: Context): void {
  const release = (): void => {
    try {
      for (const event of events.release()) emit(event)
    } catch (error) {
      // The part was never shown: its events were on their way when the request was cancelled.
      log({ level: 'debug', message: 'the end of a cancelled answer was dropped', error })
    }
  }
  signal.addEventListener('abort', release, { once: true })
}

function redactMessages(messages: readonly Message[], context: Context): readonly Message[] {
  const table = tableOf(context)
  if (!table) return messages
  mapMessages(messages, (text) => {
    table.reserve(text)
    return text
  })
  const edited = mapMessages(messages, (text) => table.redact(text))
  context.local.set(EDITED, edited)
  return edited
}

/** Texts of an answer may be written otherwise than all else of it. */
function restoreMessages(
  messages: readonly Message[],
  table: Table,
  written: Written,
): readonly Message[] {
  return mapMessages(messages, (text, { type }) =>
    table.restore(text, type === 'text' ? written : undefined),
  )
}

export default {
  kind: 'extension',
  name: 'redact',
  // It changes what is said. CONTRACT 1
  defaultEnabled: false,
  configSchema: CONFIG_SCHEMA,

  init(config, state, context) {
    const table = new Table(new Finder(readSettings(config)))
    const events = new EventRestorer(table, writtenInText(config))
    context.local.set(TABLE, table)
    context.local.set(EVENTS, events)
    releaseAtEnd(events, context)
    return state
  },

  editMessages: (messages, _state, context) => redactMessages(messages, context),

  toNative(messages, native, context) {
    const table = tableOf(context)
    const isEdited = messages === context.local.get(EDITED)
    return table && !isEdited ? redactAdded({ messages, native, table }, context) : native
  },

  processChunk(_chunk, partials, finals, native, state, context) {
    return [eventsOf(context)?.restore(partials) ?? partials, finals, native, state]
  },

  // Events were put right chunk by chunk: a placeholder may be split between them.
  fromNative(_natives, core, context) {
    const table = tableOf(context)
    if (!table || table.isEmpty || context.phase !== 'finals') return core
    return restoreMessages(core as readonly Message[], table, writtenInText(context.config))
  },
} satisfies Extension
