import { treeFolder } from '../../test/server/crash/tree-folder.ts'
import { type TreeRound, treeRound } from '../../test/server/crash/tree-round.ts'
import { onEachStorage } from './storages.ts'

const TREES = 6
/** The clients of a round are sent about so many frames. */
const MOST_FRAMES = 400

/**
 * Kills a server at random moments of trees of depth 3 whose tools write lines to a file: so many times on SQLite, and on
 * a PostgreSQL, if the machine has one. The next server takes the trees up.
 * @returns whether every tree ended whole, every line has a record, and no call and no run was doubled
 */
export function killTrees(times: number): Promise<boolean> {
  return onEachStorage((name, store) => killOn(name, store, times))
}

async function killOn(name: string, store: string | undefined, times: number): Promise<boolean> {
  const folder = await treeFolder(store)
  const sum = { left: 0, runs: 0, resumed: 0, lines: 0, unknown: 0, lost: 0, doubled: 0 }
  let wrong = 0
  for (let time = 1; time <= times; time++) {
    const frames = 1 + Math.floor(Math.random() * MOST_FRAMES)
    const { faults, ...counts } = await treeRound(folder, { trees: TREES, frames })
    for (const key of Object.keys(counts) as (keyof typeof counts)[]) sum[key] += counts[key]
    wrong += faults.length
    console.log(`${name} ${time}: killed after ${frames} frames; ${said(counts, faults.length)}`)
    for (const fault of faults) console.log(`   ${fault}`)
  }
  await folder.remove()
  console.log(`${name}: ${times} kills, ${said(sum, wrong)}`)
  return sum.lost + sum.doubled + wrong === 0
}

function said(counts: Omit<TreeRound, 'faults'>, faults: number): string {
  const { left, runs, resumed, lines, unknown, lost, doubled } = counts
  return `${left} trees taken up, ${runs} runs below them, ${resumed} of these gone on with, ${lines} lines, ${unknown} calls with an unknown outcome, ${lost} lost, ${doubled} doubled, ${faults} faults`
}
