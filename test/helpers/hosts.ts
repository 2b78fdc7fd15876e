import scripted from '../../providers/scripted/index.ts'
import type { ConfigLayer } from '../../src/core/config/layers.ts'
import { createHost, type Host } from '../../src/core/host/index.ts'
import type { PartialEvent } from '../../src/plugin/events/index.ts'
import { eventProvider } from './plugins.ts'

/** A host of the scripted provider, without delays, and of these plugins. */
export async function scriptedHost(
  plugins: readonly unknown[] = [],
  config: ConfigLayer = {},
): Promise<Host> {
  const settings = {
    ...config.settings,
    scripted: { delay_ms: 0, ...config.settings?.['scripted'] },
  }
  return createHost({ plugins: [scripted, ...plugins], config: { ...config, settings } })
}

/** The events of one text part. */
export function textEvents(...deltas: string[]): PartialEvent[] {
  return [
    { type: 'text-start', id: '1' },
    ...deltas.map((delta): PartialEvent => ({ type: 'text-delta', id: '1', delta })),
    { type: 'text-end', id: '1' },
  ]
}

/** A provider that answers with one text. */
export function textProvider(text = 'hello', more: object = {}) {
  return eventProvider(textEvents(...text.split(/(?<= )/)), { ...more })
}

export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) all.push(event)
  return all
}

export function typesOf(events: readonly { readonly type: string }[]): string[] {
  return events.map((event) => event.type)
}
