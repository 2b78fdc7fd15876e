import { setTimeout as delay } from 'node:timers/promises'
import { LoadProcess } from '../../test/server/load/processes.ts'
import { yieldToOthers } from './harness/attacked-server.ts'
import type { BystanderAnswer } from './harness/bystander.ts'
import type { MemoryUse } from './harness/inside.ts'
import type { Installation } from './harness/installation.ts'
import type { AttackQuestion } from './harness/question.ts'
import type { Outcome } from './harness/tally.ts'
import { Target } from './harness/target.ts'
import { tokenOf } from './harness/tokens.ts'

/** What was seen of a server while it was attacked. */
export interface AttackReport extends Outcome {
  readonly name: string
  /** Milliseconds. */
  readonly duration: number
  readonly before: MemoryUse
  readonly after: MemoryUse
  /** The most bytes that it took meanwhile. */
  readonly peak: number
  readonly seen: BystanderAnswer
}

/** An attack on the server that all of these share. */
export interface SharedAttack {
  readonly name: string
  /** Milliseconds after which it is given up. */
  readonly budget: number
  /** Identities that it comes as, so that what one uses up is nothing to the next; a few where it is not said. */
  readonly identities?: number
  /** Whether it has to read as fast as the server writes, who sends away whoever is far behind. */
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

/** Milliseconds for an attack that has noticed that its time is up to say how far it came. */
const GRACE = 30_000
/** Identities that an attack comes as where it needs no more. */
const FEW_IDENTITIES = 4

export interface Campaign {
  readonly installation: Installation
  readonly plugins: readonly string[]
  readonly attacks: readonly SharedAttack[]
  /** 1 for all of it, less for a sample. */
  readonly scale: number
  /** The models that are asked; all where it is not said. */
  readonly models?: readonly string[]
  readonly execArgv?: readonly string[]
  /** Is told of each attack when it is over. */
  readonly onReport?: (report: AttackReport) => void
  /** Bytes by which the server may be larger at the end; it is left alone for a while where it is. */
  readonly mostGrowth?: number
}

/** What came of attacks on one server. */
export interface CampaignReport {
  readonly reports: readonly AttackReport[]
  /** What the server takes once it has been left alone for so many milliseconds. */
  readonly rest: MemoryUse & { readonly quiet: number }
}

/** What attacks before have found. */
type Found = Pick<AttackQuestion, 'worst'>

/** Runs attacks one after the other against one server, and says what it held before and after all of them. */
export async function runAttacks(campaign: Campaign): Promise<CampaignReport> {
  const { installation, plugins, attacks, execArgv, onReport } = campaign
  const identities = [WARM_UP, ...attacks].flatMap(identitiesOf)
  const target = await Target.start(installation, identities, plugins, execArgv)
  try {
    await warmUp(target, campaign)
    const reports: AttackReport[] = []
    for (const attack of attacks) {
      const worst = reports.flatMap((report) => report.worst ?? [])
      const report = await attackBy(attack, target, { ...campaign, worst })
      reports.push(report)
      onReport?.(report)
    }
    const begun = reports[0]?.before.rss ?? 0
    const quiet = await leaveAlone(
      target,
      begun + (campaign.mostGrowth ?? Number.POSITIVE_INFINITY),
    )
    return { reports, rest: { ...(await target.server.memory()), quiet } }
  } finally {
    await target.end()
  }
}

/** Milliseconds that a server is left alone at most, and between two looks at it. */
const MOST_QUIET = 60_000
const LOOK = 1000

/** Waits for a server to come back to a size: its heap is made smaller when nothing has happened for a while. */
async function leaveAlone({ server }: Target, size: number): Promise<number> {
  const begin = performance.now()
  while (server.rss >= size && performance.now() - begin < MOST_QUIET) await delay(LOOK)
  return performance.now() - begin
}

const WARM_UP: SharedAttack = { name: 'warm-up', budget: 60_000 }

function identitiesOf({ name, identities = FEW_IDENTITIES }: SharedAttack): readonly string[] {
  return Array.from({ length: identities }, (_, index) => `${name.replace(' ', '-')}-${index}`)
}

/** What is loaded and compiled once is no attack's doing. */
async function warmUp(target: Target, campaign: Campaign): Promise<void> {
  await target.watch()
  await askAttackers('aborted streams', WARM_UP, target, {
    ...campaign,
    scale: campaign.scale / 10,
  })
  await target.seen()
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
  const outcome = await askAttackers(attack.name, attack, target, campaign).catch(
    (error: unknown) => ({ tried: 1, held: 0, detail: String(error) }),
  )
  const duration = performance.now() - startedAt
  const seen = await target.seen()
  const { peak } = target.server
  const after = await target.server.memory()
  return { name: attack.name, ...outcome, duration, before, after, peak, seen }
}

async function askAttackers(
  attack: string,
  shared: SharedAttack,
  target: Target,
  { scale, models, worst }: Campaign & Found,
): Promise<Outcome> {
  const { budget } = shared
  const attackers = new LoadProcess(new URL('./attackers.ts', import.meta.url).href)
  if (!shared.keepsUp) yieldToOthers(attackers.pid)
  const question: AttackQuestion = {
    attack,
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
