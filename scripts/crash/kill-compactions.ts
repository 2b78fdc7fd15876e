import { isDeepStrictEqual } from 'node:util'
import { compactionFolder } from '../../test/server/crash/compaction-folder.ts'
import { type CompactionRound, compactionRound } from '../../test/server/crash/compaction-round.ts'
import { onEachStorage } from './storages.ts'

/**
 * Kills a server behind each write of a conversation with tools, an approval and a compaction: on SQLite, and on a
 * PostgreSQL, if the machine has one.
 * @param times how many writes to try at most; default: all
 * @returns whether nothing was lost, and the model was asked the same as without a kill
 */
export function killCompactions(times = Number.POSITIVE_INFINITY): Promise<boolean> {
  return onEachStorage((name, store) => killOn(name, store, times))
}

async function killOn(name: string, store: string | undefined, times: number): Promise<boolean> {
  const folder = await compactionFolder(store)
  try {
    const whole = await compactionRound(folder)
    let kills = 0
    let faulty = whole.faults.length
    for (let deadly = 1; deadly <= times; deadly++) {
      const round = await compactionRound(folder, deadly)
      if (!round.isKilled) break
      kills++
      const faults = faultsOf(round, whole)
      faulty += faults.length
      console.log(`${name}: killed behind write ${deadly}, ${faults.length} faults`)
      for (const fault of faults) console.log(`   ${fault}`)
    }
    console.log(`${name}: ${kills} kills, ${faulty} faults`)
    return kills > 0 && faulty === 0
  } finally {
    await folder.remove()
  }
}

function faultsOf(round: CompactionRound, whole: CompactionRound): readonly string[] {
  const { request, messages, faults } = round
  return [
    ...faults,
    ...(isDeepStrictEqual(request, whole.request)
      ? []
      : [`the model was asked ${JSON.stringify(request)}`]),
    ...(isDeepStrictEqual(messages, whole.messages)
      ? []
      : [`the messages are ${JSON.stringify(messages)}`]),
  ]
}
