import { toolFolder } from '../../test/server/crash/tool-folder.ts'
import { type ToolRound, toolRound } from '../../test/server/crash/tool-round.ts'
import { onEachStorage } from './storages.ts'

const RUNS = 12
/** The clients of a round are sent about so many frames. */
const MOST_FRAMES = 400

/**
 * Kills a server at random moments of runs whose tools write lines to a file: so many times on SQLite, and on a
 * PostgreSQL, if the machine has one. Every second time, the runs go on in the next server.
 * @returns whether every line has a record, no call has two lines, and every record is true
 */
export function killTools(times: number): Promise<boolean> {
  return onEachStorage((name, store) => killOn(name, store, times))
}

async function killOn(name: string, store: string | undefined, times: number): Promise<boolean> {
  const folder = await toolFolder(store)
  const sum = { lines: 0, records: 0, unknown: 0, lost: 0, doubled: 0, faults: 0 }
  for (let time = 1; time <= times; time++) {
    const onInterrupt = time % 2 === 0 ? 'resume' : 'end'
    const frames = 1 + Math.floor(Math.random() * MOST_FRAMES)
    const round = await toolRound(folder, { runs: RUNS, frames, onInterrupt })
    const { faults, ...counts } = round
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) sum[key] += counts[key]
    sum.faults += faults.length
    console.log(
      `${name} ${time}: killed after ${frames} frames, runs ${onInterrupt}; ${said(counts, faults.length)}`,
    )
    for (const fault of faults) console.log(`   ${fault}`)
  }
  await folder.remove()
  console.log(`${name}: ${times} kills, ${said(sum, sum.faults)}`)
  return sum.lost + sum.doubled + sum.faults === 0
}

function said(counts: Omit<ToolRound, 'faults'>, faults: number): string {
  const { lines, records, unknown, lost, doubled } = counts
  return `${lines} lines, ${records} records, ${unknown} with an unknown outcome, ${lost} lost, ${doubled} doubled, ${faults} faults`
}
