import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds for the processes of a group to end by themselves. */
const LONGEST_END_MS = 300
const LOOK_MS = 10

/** Sends a signal to all processes of a group. @returns false if the group has no processes */
export function signalGroup(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return group !== undefined && process.kill(-group, signal)
  } catch {
    // The group is empty, or (on Windows) process groups do not exist.
    return false
  }
}

/** Ends all processes of a group. Those that do not end by themselves are killed. */
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
