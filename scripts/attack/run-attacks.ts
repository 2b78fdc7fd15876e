import { setTimeout as delay } from 'node:timers/promises'
import { LoadProcess } from '../../test/server/load/processes.ts'
import type { InstalledCommand } from '../install/packed.ts'
import { yieldToOthers } from './harness/attacked-server.ts'
import type { BystanderAnswer } from './harness/bystander.ts'
import type { MemoryUse } from './harness/inside.ts'
import type { AttackQuestion } from './harness/question.ts'
import type { Outcome } from './harness/tally.ts'
import { Target } from './harness/target.ts'
import { tokenOf } from './harness/tokens.ts'

/** Measurements of a server during an attack. */
export interface AttackReport extends Outcome {
  readonly name: string
  /** Milliseconds. */
  readonly duration: number
  readonly before: MemoryUse
  readonly after: MemoryUse
  /** The maximum memory of the process in bytes. */
  readonly peak: number
  readonly seen: BystanderAnswer
}

/** An attack on the server that all these attacks share. */
export interface SharedAttack {
  readonly name: string
  /** Milliseconds after which it is stopped. */
  readonly budget: number
  /**
   * The number of its identities (a few by default). Attacks have different ones, so that they use up only their own
   * limits.
   */
  readonly identities?: number
  /** The number of the round, from 0. Each round has identities of its own. */
  readonly round?: number
  /** True if the attacker must read as fast as the server writes, so that its answers end in time. */
  readonly keepsUp?: boolean
}

export const SHARED_ATTACKS: readonly SharedAttack[] = [
  { name: 'bodies', budget: 180_000, identities: 600 },
  { name: 'largest bodies', budget: 180_000, identities: 300 },
  { name: 'worst bodies', budget: 120_000, identities: 5 },
  { name: 'bombs', budget: 180_000, keepsUp: true },
  { name: 'floods', budget: 120_000 },
  { name: 'aborted streams', budget: 120_000 },
  { name: 'silent sockets', budget: 60_000 },
]

/** Milliseconds for an attack to report its results after its time is up. */
const GRACE = 30_000
/** The default number of identities of an attack. */
const FEW_IDENTITIES = 4

export interface Campaign {
  readonly installation: InstalledCommand
  readonly plugins: readonly string[]
  readonly attacks: readonly SharedAttack[]
  /** 1 for the whole attack, less for a sample. */
  readonly scale: number
  /** The models to use; by default all. */
  readonly models?: readonly string[]
  readonly execArgv?: readonly string[]
  /** Called after each attack. */
  readonly onReport?: (report: AttackReport) => void
  /** How many times to run all attacks; by default once. */
  readonly rounds?: number
  /** Milliseconds for which the server is left idle before its memory at rest is measured. */
  readonly quiet?: number
}

/** The results of all attacks on one server. */
export interface CampaignReport {
  readonly reports: readonly AttackReport[]
  /** The server's memory at rest, measured after equal idle times: before all attacks, and after each round. */
  readonly rests: readonly MemoryUse[]
}

/** Findings of earlier attacks. */
type Found = Pick<AttackQuestion, 'worst'>

/** Runs attacks one after the other against one server, and measures its memory before and after them. */
export async function runAttacks(campaign: Campaign): Promise<CampaignReport> {
  const { installation, plugins, attacks, execArgv, rounds = 1, quiet = QUIET } = campaign
  const all = Array.from({ length: rounds }, (_, round) =>
    attacks.map((one) => ({ ...one, round })),
  )
  const identities = [...WARM_UP, ...all.flat()].flatMap(identitiesOf)
  const target = await Target.start(installation, identities, plugins, execArgv)
  try {
    await warmUp(target, campaign)
    const rests = [await atRest(target, quiet)]
    const reports: AttackReport[] = []
    for (const round of all) {
      reports.push(...(await attackAll(round, target, campaign)))
      rests.push(await atRest(target, quiet))
    }
    return { reports, rests }
  } finally {
    await target.end()
  }
}

async function attackAll(
  attacks: readonly SharedAttack[],
  target: Target,
  campaign: Campaign,
): Promise<readonly AttackReport[]> {
  const reports: AttackReport[] = []
  for (const attack of attacks) {
    const worst = reports.flatMap((report) => report.worst ?? [])
    const report = await attackBy(attack, target, { ...campaign, worst })
    reports.push(report)
    campaign.onReport?.(report)
  }
  return reports
}

const QUIET = 10_000

/** The memory of an idle server, after a garbage collection. */
async function atRest({ server }: Target, quiet: number): Promise<MemoryUse> {
  await server.memory()
  await delay(quiet)
  return server.memory()
}

/** Work for the server before the attacks, with its amount. */
const WARM_UP = [
  { name: 'honest work', budget: 60_000, identities: 40, scale: 1 },
  { name: 'aborted streams', budget: 60_000, round: -1, scale: 0.1 },
] as const

function identitiesOf({
  name,
  identities = FEW_IDENTITIES,
  round = 0,
}: SharedAttack): readonly string[] {
  const own = `${name.replace(' ', '-')}-${round}`
  return Array.from({ length: identities }, (_, index) => `${own}-${index}`)
}

/**
 * Warms the server up: afterwards it has loaded and compiled the code for each kind of request, and its pools and
 * SQLite's page cache are full. Otherwise that memory would be attributed to an attack.
 */
async function warmUp(target: Target, campaign: Campaign): Promise<void> {
  for (const work of WARM_UP) {
    const scale = campaign.scale * work.scale
    await target.watch()
    const { tried, held, detail } = await askAttackers(work, target, { ...campaign, scale })
    await target.seen()
    if (held < tried) throw new Error(`The server is not fit to be attacked: ${detail}`)
  }
}

async function attackBy(
  attack: SharedAttack,
  target: Target,
  campaign: Campaign & Found,
): Promise<AttackReport> {
  const before = await target.server.memory()
  target.server.forgetPeak()
  await target.watch()
  const startedAt = performance.now()
  const outcome = await askAttackers(attack, target, campaign).catch((error: unknown) => ({
    tried: 1,
    held: 0,
    detail: String(error),
  }))
  const duration = performance.now() - startedAt
  const seen = await target.seen()
  const { peak } = target.server
  const after = await target.server.memory()
  return { name: attack.name, ...outcome, duration, before, after, peak, seen }
}

async function askAttackers(
  shared: SharedAttack,
  target: Target,
  { scale, models, worst }: Campaign & Found,
): Promise<Outcome> {
  const { budget } = shared
  const attackers = await LoadProcess.start(new URL('./attackers.ts', import.meta.url).href)
  if (!shared.keepsUp) yieldToOthers(attackers.pid)
  const question: AttackQuestion = {
    attack: shared.name,
    url: target.server.url,
    pid: target.server.pid,
    tokens: identitiesOf(shared).map(tokenOf),
    budget,
    scale,
    ...(models ? { models } : {}),
    ...(worst ? { worst } : {}),
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${budget / 1000} s`)), budget + GRACE)
  })
  try {
    return await Promise.race([attackers.ask<Outcome>(question), late])
  } finally {
    clearTimeout(timer)
    await attackers.end()
  }
}
