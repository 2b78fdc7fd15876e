import { SmallDisk } from '../../test/helpers/small-disk.ts'
import { LOAD_PROTOCOLS } from '../../test/server/load/protocols.ts'
import { textOf } from '../../test/server/load/stamps.ts'
import type { InstalledCommand } from '../install/packed.ts'
import { AttackedServer } from './harness/attacked-server.ts'
import { watchHealth } from './harness/health-watch.ts'
import {
  type Answered,
  activeRuns,
  asked,
  attempted,
  comesToBe,
  modelIn,
} from './harness/requests.ts'
import { type Outcome, Tally } from './harness/tally.ts'
import { MONITOR, tokenOf } from './harness/tokens.ts'

const ROOM = 4096
const ROUNDS = 3
const WORDS = 300
const PAUSE = 25
const PATIENCE = 30_000
const TOKEN = tokenOf('writer')
const FAILURE = /STORAGE_FAILED|storage of the server failed/i

/** Fills the disk of a server's database while runs are written to it, then frees it. */
export async function fillDisk(installation: InstalledCommand): Promise<Outcome> {
  const disk = SmallDisk.mount(ROOM)
  if (!disk) return { tried: 0, held: 0, detail: 'skipped: no file system may be mounted here' }
  const tally = new Tally()
  try {
    const server = await startOn(disk, installation)
    try {
      await watchHealth(server.url, tally, async () => {
        for (let round = 0; round < ROUNDS; round++) await fillOnce(server, { disk, round }, tally)
      })
    } finally {
      tally.add((await server.stop()) ? undefined : 'the server did not stop when it was told to')
    }
  } finally {
    disk.unmount()
  }
  return tally.outcome
}

function startOn({ folder }: SmallDisk, installation: InstalledCommand): Promise<AttackedServer> {
  const config = {
    provider: 'scripted',
    settings: { scripted: { script: [{ then: { text: textOf(20) } }], delay_ms: 0 } },
    server: {
      tokens: [MONITOR, { id: 'writer', token: TOKEN }],
      models: {
        quick: {},
        slow: {
          config: {
            settings: {
              scripted: { script: [{ then: { text: textOf(WORDS) } }], delay_ms: PAUSE },
            },
          },
        },
      },
    },
  }
  return AttackedServer.start(installation, config, { place: folder })
}

async function fillOnce(
  server: AttackedServer,
  { disk, round }: { readonly disk: SmallDisk; readonly round: number },
  tally: Tally,
): Promise<void> {
  const { url } = server
  const add = (fault: string | undefined) =>
    tally.add(fault === undefined ? undefined : `round ${round}: ${fault}`)
  const becomes = async (wanted: number) => {
    const ready = async () => (await asked(url, '/readyz', { patience: PATIENCE })).status
    const isSo = await comesToBe(async () => (await ready()) === wanted, PATIENCE)
    add(isSo ? undefined : `readyz does not become ${wanted}`)
  }
  const running = askAll(url, 'slow', `running-${round}`)
  await comesToBe(async () => (await activeRuns(url)) === LOAD_PROTOCOLS.length, PATIENCE)
  disk.fill()
  await becomes(503)
  const refused = await askAll(url, 'quick', `refused-${round}`)
  for (const answer of [...(await running), ...refused]) add(faultWithoutRoom(answer))
  disk.free()
  await becomes(200)
  for (const { status, text } of await askAll(url, 'quick', `after-${round}`)) {
    const isWhole = status === 200 && !FAILURE.test(text)
    add(isWhole ? undefined : `with room again: status ${status} …${text.slice(-200)}`)
  }
}

/** Checks that a request that stores nothing is answered, or refused with an error code. */
function faultWithoutRoom({ status, text }: Answered): string | undefined {
  const isTold = status === 503 || FAILURE.test(text)
  if (status === 200 || (isTold && !text.includes('database'))) return undefined
  return `without room: status ${status} …${text.slice(-200)}`
}

/** Sends the same question with every protocol at once. */
function askAll(url: string, model: string, id: string): Promise<readonly Answered[]> {
  const answers = LOAD_PROTOCOLS.map((protocol, index) => {
    const body = JSON.stringify(modelIn(protocol, model, `${id}-${index}`))
    return attempted(url, protocol.path, { token: TOKEN, body, patience: PATIENCE })
  })
  return Promise.all(answers)
}
