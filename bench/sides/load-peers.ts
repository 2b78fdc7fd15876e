import type { Format } from '../bodies.ts'
import type { Side } from '../measure.ts'
import type { PacedSide } from './paced.ts'

/** Typed here: peers are a package of their own, which need not be installed to check these sources. */
interface Peers {
  readonly peerSides: (url: string, format: Format, most?: number) => readonly Side[]
  readonly sendSides: (url: string) => readonly Side[]
  readonly uiSides: (url: string) => readonly Side[]
  readonly pacedSides: (url: string) => readonly PacedSide[]
}

export async function loadPeers(): Promise<Peers> {
  return (await import(new URL('./peers.mjs', import.meta.url).href)) as Peers
}
