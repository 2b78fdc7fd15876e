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
 * Redacts texts that plugins after this extension added to the messages. It replaces them in the native request, as
 * plain text or as JSON. If the provider wrote a text in another form, this fails and gives a warning.
 */
export function redactAdded({ messages, native, table }: Added, { warn }: Context): unknown {
  const texts = textsWithValues(messages, table)
  if (texts.size === 0) return native
  const values = [...texts].flatMap((text) => table.valuesIn(text))
  const redacted = replaceTexts(native, redactedForms(texts, table))
  const left = leftIn(redacted, values)
  if (left > 0) {
    warn(
      `Plugins that run after "redact" added ${left} value(s) to the messages that it could not remove from the native request; they were sent.`,
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

/**
 * Each text with its redacted form, plain and within JSON. Longer texts come first, as they may contain shorter ones.
 */
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

/** How many of the values are still in the request. */
function leftIn(native: unknown, values: readonly string[]): number {
  const left = new Set<string>()
  mapJson(native, (text) => {
    for (const value of values) if (text.includes(value)) left.add(value)
    return text
  })
  return left.size
}
