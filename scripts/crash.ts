/**
 * Kills a server under load, restarts it on the same store, and checks that nothing is lost that a client had read or a
 * tool had done: `npm run crash [-- --only streams|tools|trees|compactions] [--times N]`. Prints one line per kill.
 */
import { crashFolder } from '../test/server/crash/crash-folder.ts'
import { crashRound } from '../test/server/crash/crash-round.ts'
import { killCompactions } from './crash/kill-compactions.ts'
import { killTools } from './crash/kill-tools.ts'
import { killTrees } from './crash/kill-trees.ts'
import { checkChoice, countIn, scriptOptions } from './options.ts'

const RUNS = 40
const ENOUGH = 20
/** Every tenth kill happens when the first run ends. */
const ENDINGS = 10

const SUITES: { readonly [suite: string]: (times?: number) => Promise<boolean> } = {
  streams: (times = 50) => killStreams(times),
  tools: (times = 200) => killTools(times),
  trees: (times = 100) => killTrees(times),
  compactions: (times) => killCompactions(times),
}

const { values } = scriptOptions({
  options: { only: { type: 'string' }, times: { type: 'string' } },
})
const times = values.times === undefined ? undefined : countIn('--times', values.times)
if (values.only !== undefined) checkChoice('--only', values.only, Object.keys(SUITES))
for (const [suite, kill] of Object.entries(SUITES)) {
  if (suite === (values.only ?? suite) && !(await kill(times))) process.exitCode = 1
}

/** Kills a server whose clients read streams. @returns whether nothing was lost */
async function killStreams(count: number): Promise<boolean> {
  const folder = await crashFolder()
  let full = 0
  let faulty = 0
  for (let time = 1; time <= count; time++) {
    // A random moment between the first events of the first runs and the end of the last ones.
    const moment = time % ENDINGS === 0 ? 'first-ending' : 50 + Math.floor(Math.random() * 4300)
    const round = await crashRound(folder, { runs: RUNS, moment })
    const { inFlight, ended, read, restart, faults } = round
    if (inFlight >= ENOUGH) full++
    if (faults.length > 0) faulty++
    console.log(
      `${time}: ${inFlight} runs in flight, ${ended} ended, ${read} events read; started anew in ${Math.round(restart)} ms; ${faults.length} faults`,
    )
    for (const fault of faults) console.log(`   ${fault}`)
  }
  await folder.remove()
  console.log(
    `${count} kills, ${full} with ${ENOUGH} or more runs in flight, ${faulty} with faults`,
  )
  return faulty === 0
}
