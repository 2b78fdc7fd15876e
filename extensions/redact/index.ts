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

/** The table of the current request. `local` is dropped with the request, so values never reach another one. */
function tableOf({ local }: Context): Table | undefined {
  const table = local.get(TABLE)
  return table instanceof Table ? table : undefined
}

function eventsOf({ local }: Context): EventRestorer | undefined {
  const events = local.get(EVENTS)
  return events instanceof EventRestorer ? events : undefined
}

/** Releases held text on abort: no hook runs after a failed or cancelled stream, and parts are still open then. */
function releaseAtEnd(events: EventRestorer, { signal, emit, log }: Context): void {
  const release = (): void => {
    try {
      for (const event of events.release()) emit(event)
    } catch (error) {
      // Expected: the part's start was still in transit when the request was cancelled, so the part was never shown.
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

/** Restores the values in an answer. `written` gives the spelling of a value in texts; elsewhere it stays plain. */
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
  // Off by default, since it changes the messages.
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

  // Streamed events were restored chunk by chunk, since a placeholder may be split between chunks.
  fromNative(_natives, core, context) {
    const table = tableOf(context)
    if (!table || table.isEmpty || context.phase !== 'finals') return core
    return restoreMessages(core as readonly Message[], table, writtenInText(context.config))
  },
} satisfies Extension
