/** One side in this process: prints nothing, tells its name (null if there is none), and runs as often as it is told. */
import type { Sample } from '../apart.ts'
import { cpuOf, repeated, type Side, timeOf } from '../measure.ts'
import { loadPeers } from './load-peers.ts'
import { bareSend, bareSides, ownSend, ownSide } from './own.ts'

export type Kind = 'stream' | 'send'

const [kind = '', url = '', at = ''] = process.argv.slice(2)
const side = await sideAt(kind as Kind, Number(at))
process.send?.(side?.what ?? null)
if (!side) process.disconnect()
process.on('message', (repeats: number) => {
  if (side) void sampleOf(repeated(side, repeats)).then((sample) => process.send?.(sample))
})

/** The floor, then Braidwork, then the peers. Peers are loaded only by the processes that run one. */
async function sideAt(which: Kind, index: number): Promise<Side | undefined> {
  if (index === 0) return which === 'send' ? bareSend(url) : (await bareSides(url, 'chat'))[1]
  if (index === 1) return which === 'send' ? ownSend(url) : ownSide(url, 'chat', 3)
  const { peerSides, sendSides } = await loadPeers()
  return (which === 'send' ? sendSides(url) : peerSides(url, 'chat'))[index - 2]
}

async function sampleOf({ run }: Side): Promise<Sample> {
  let time = 0
  const cpu = await cpuOf(async () => {
    time = 1000 * (await timeOf(run))
  })
  return { cpu, time }
}
