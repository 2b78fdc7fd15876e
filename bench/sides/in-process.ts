/** One side in this process: prints nothing, tells its name (null if there is none), and runs as often as it is told. */
import type { AgentKind, Kind, Sample } from '../apart.ts'
import type { Format } from '../bodies.ts'
import { cpuOf, repeated, type Side, timeOf } from '../measure.ts'
import { agentSides } from './agents.ts'
import { askingSides } from './asking.ts'
import { loadPeers } from './load-peers.ts'
import { bareSend, bareSides, ownSend, ownSide } from './own.ts'

type Sides = readonly (() => Side | Promise<Side>)[]

/** The number of extensions and of idle plugins of Braidwork's sides. */
const FEW = [[3, 0]] as const
const MANY = [
  [0, 0],
  [1, 0],
  [3, 0],
  [10, 0],
  [3, 100],
] as const

const [kind = '', url = '', format = '', at = ''] = process.argv.slice(2)
const side = await sideAt(kind as Kind, format as Format, Number(at))
process.send?.(side?.what ?? null)
if (!side) process.disconnect()
process.on('message', (repeats: number) => {
  if (side) void sampleOf(repeated(side, repeats)).then((sample) => process.send?.(sample))
})

/** The floor, then Braidwork, then the peers. Peers are loaded only by the processes that run one. */
async function sideAt(which: Kind, format: Format, index: number): Promise<Side | undefined> {
  if (which === 'agent that asks another') return askingSides()[index]?.()
  if (isAgent(which)) return agentSides(which === 'agent of one call' ? 1 : 0)[index]?.()
  const near = nearSides(which, format)
  const one = near[index]
  if (one) return one()
  const { peerSides, sendSides } = await loadPeers()
  return (which === 'send' ? sendSides(url) : peerSides(url, format))[index - near.length]
}

function isAgent(which: Kind): which is AgentKind {
  return which.startsWith('agent')
}

function nearSides(which: Exclude<Kind, AgentKind>, format: Format): Sides {
  if (which === 'send') return [() => bareSend(url), () => ownSend(url)]
  const [bytes, events] = bareSides(url, format)
  const own = (which === 'stream' ? FEW : MANY).map(
    ([count, idle]) =>
      () =>
        ownSide(url, format, count, { idle }),
  )
  return which === 'stream' ? [() => events, ...own] : [() => bytes, () => events, ...own]
}

async function sampleOf({ run }: Side): Promise<Sample> {
  let time = 0
  const cpu = await cpuOf(async () => {
    time = 1000 * (await timeOf(run))
  })
  return { cpu, time }
}
