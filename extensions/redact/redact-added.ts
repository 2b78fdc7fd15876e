import type { Context, Message } from '@braidwork/plugin'
import { mapJson, mapMessages } from './map-texts.ts'
import type { Table } from './table.ts'
import { inJson } from './written.ts'

interface Added {
  readonly messages: readonly Message[]
  readonly native: unknown
  readonly table: Table
}

/**
 * The native request without what plugins behind this extension put into the messages: their texts are found in
 * it as they are, or as they are written in JSON. A provider may have written them otherwise; that is a warning.
 */
export function redactAdded({ messages, native, table }: Added, { warn }: Context): unknown {
  const texts = textsWithValues(messages, table)
  if (texts.size === 0) return native
  const values = [...texts].flatMap((text) => table.valuesIn(text))
  const redacted = replaceTexts(native, redactedForms(texts, table))
  const left = leftIn(redacted, values)
  if (left > 0) {
    warn(
      `Plugins behind "redact" put ${left} value(s) into the messages that it could not take out of the native request; they were sent.`,
    )
  }
  return redacted
}

function textsWithValues(messages: readonly Message[], table: Table): ReadonlySet<string> {
  const texts = new Set<string>()
  mapMessages(messages, (text) => {
    if (table.valuesIn(text).length > 0) texts.add(text)
    return text
  })
  return texts
}

/** What each text becomes, also as part of a JSON text; longer ones first, which may contain others. */
function redactedForms(texts: ReadonlySet<string>, table: Table): readonly [string, string][] {
  for (const text of texts) table.reserve(text)
  return [...texts]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((text): [string, string][] => {
      const redacted = table.redact(text)
      return [
        [text, redacted],
        [inJson(text), inJson(redacted)],
      ]
    })
}

function replaceTexts(native: unknown, forms: readonly [string, string][]): unknown {
  return mapJson(native, (found) =>
    forms.reduce((text, [form, redacted]) => text.replaceAll(form, () => redacted), found),
  )
}

/** How many of the values stand in the request all the same. */
function leftIn(native: unknown, values: readonly string[]): number {
  const left = new Set<string>()
  mapJson(native, (text) => {
    for (const value of values) if (text.includes(value)) left.add(value)
    return text
  })
  return left.size
}
