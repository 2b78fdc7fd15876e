/**
 * Serves many streams at once over HTTP and prints the results of each round: `npm run load [-- --only NAME]`. The
 * server, its clients and the model API are separate processes.
 */
import { type Load, type LoadRound, runLoad } from '../test/server/load/load.ts'
import { checkChoice, scriptOptions } from './options.ts'

const LOADS: readonly Load[] = [
  {
    what: 'script',
    streams: 1000,
    paused: 100,
    words: 400,
    rounds: 3,
    store: 'memory',
    source: 'script',
  },
  { what: 'http', streams: 300, paused: 0, words: 400, rounds: 3, store: 'sqlite', source: 'http' },
]

const { values } = scriptOptions({
  options: { only: { type: 'string' }, profile: { type: 'string' } },
})
const names = LOADS.map(({ what }) => what)
checkChoice('--only', values.only, names)
let isGood = true
for (const load of LOADS.filter(({ what }) => (values.only ?? what) === what)) {
  const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  console.log(
    `${load.streams} streams, text by ${load.source}, store ${load.store}, ${load.paused} paused`,
  )
  const rounds = await runLoad(load, profile)
  console.table(rounds.map((one) => rowOf(one, load)))
  for (const fault of rounds.flatMap(({ faults }) => faults)) console.log(fault)
  isGood &&= rounds.every(({ faults }) => faults.length === 0)
}
process.exitCode = isGood ? 0 : 1

function rowOf(
  { ages, durations, pieces, together, heap, serverCpu, cpu, faults }: LoadRound,
  { words }: Load,
) {
  return {
    pieces,
    together,
    // The intended pace is 20 words a second. A model API that is slowed down sends its words later.
    'words a second': round((words * 1000) / durations.median),
    'p50 ms': round(ages.p50),
    'p99 ms': round(ages.p99),
    'most ms': round(ages.most),
    'slowest/median': round(durations.most / durations.median),
    'server µs/piece': round(serverCpu / pieces),
    'clients µs/piece': round(cpu / pieces),
    'heap MB': round(heap / 1e6),
    faults: faults.length,
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
