import type { Explained } from './documents.ts'

/** A tag between a plugin that provides it and one that requires or forbids it. */
export interface Wire {
  readonly from: string
  readonly to: string
  readonly tag: string
  readonly need: 'required' | 'forbidden'
  /** Whether the tag was provided, and has its effect: it keeps a plugin on, or off where it is forbidden. */
  readonly live: boolean
}

/** The wires with the same tag and need, which share their lines. */
export interface Bus {
  readonly tag: string
  readonly need: 'required' | 'forbidden'
  readonly wires: readonly Wire[]
}

/** The tags between plugins, in the order of the plugins that need them. */
export function busesOf(plugins: readonly Explained[]): readonly Bus[] {
  const names = new Set(plugins.map(({ plugin }) => plugin))
  const buses = new Map<string, Wire[]>()
  for (const wire of plugins.flatMap(wiresTo)) {
    if (wire.from === wire.to || !names.has(wire.from)) continue
    const key = `${wire.need} ${wire.tag}`
    const bus = buses.get(key)
    if (bus) bus.push(wire)
    else buses.set(key, [wire])
  }
  return [...buses.values()].flatMap((wires) => {
    const [first] = wires
    return first ? [{ tag: first.tag, need: first.need, wires }] : []
  })
}

function wiresTo({ plugin, on, tags }: Explained): readonly Wire[] {
  return tags.flatMap(({ tag, need, providedBy, wouldBeProvidedBy }) => {
    const wire = (from: string, live: boolean): Wire => ({ from, to: plugin, tag, need, live })
    return [
      ...providedBy.map((from) => wire(from, on || need === 'forbidden')),
      ...wouldBeProvidedBy.map((from) => wire(from, false)),
    ]
  })
}
