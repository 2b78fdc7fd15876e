import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all garbage now. */
export const collect = runInNewContext('gc') as () => void

const MOST_TURNS = 100

/** Collects until something holds; what a turn of the event loop still keeps goes with a later one. */
export async function collectUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && !holds(); turn++) {
    await nextTurn()
    collect()
  }
}

/** Bytes that are held, after what is not was collected. */
export async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    collect()
  }
  return process.memoryUsage().heapUsed
}
