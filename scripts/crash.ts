/**
 * Kills a server under load, restarts it on the same database, and checks that no data that a client had read is lost:
 * `npm run crash [-- --times N]`. Prints one line per kill.
 */
import { crashFolder } from '../test/server/crash/crash-folder.ts'
import { crashRound } from '../test/server/crash/crash-round.ts'
import { countIn, scriptOptions } from './options.ts'

const RUNS = 40
const ENOUGH = 20
/** Every tenth kill happens when the first run ends. */
const ENDINGS = 10

const { values } = scriptOptions({ options: { times: { type: 'string', default: '50' } } })
const times = countIn('--times', values.times)
const folder = await crashFolder()
let full = 0
let faulty = 0
for (let time = 1; time <= times; time++) {
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
console.log(`${times} kills, ${full} with ${ENOUGH} or more runs in flight, ${faulty} with faults`)
process.exitCode = faulty === 0 ? 0 : 1
