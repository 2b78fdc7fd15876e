import { setTimeout as delay } from 'node:timers/promises'

/** How long what a plugin started may take to end by itself. */
const LONGEST_END_MS = 300
const LOOK_MS = 10

/** Sends a signal to all processes of a group. @returns whether there are any */
export function signalGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return group !== undefined && process.kill(-group, signal)
  } catch {
    // There is nobody left in it, or, as on Windows, there are no groups.
    return false
  }
}

/** Ends all processes of a group: those that do not end by themselves are killed. */
export async function endGroup(group: number | undefined): Promise<void> {
  const end = performance.now() + LONGEST_END_MS
  for (let isThere = signalGroup(group, 'SIGTERM'); isThere; isThere = signalGroup(group, 0)) {
    if (performance.now() > end) {
      signalGroup(group, 'SIGKILL')
      return
    }
    await delay(LOOK_MS)
  }
}
