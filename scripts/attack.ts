/**
 * Packs the project, serves it from an empty folder, runs all known attacks against it, and prints the results:
 * `npm run attack [-- --only NAME] [--rounds 2]`. The server, the attackers, the model API and an honest client, which
 * must not notice the attacks, are separate processes.
 */
import { attackChildren } from './attack/children.ts'
import { stepClocks } from './attack/clock-steps.ts'
import { fillDisk } from './attack/full-disk.ts'
import {
  type AttackReport,
  type CampaignReport,
  runAttacks,
  SHARED_ATTACKS,
} from './attack/run-attacks.ts'
import { type InstalledCommand, installPacked } from './install/packed.ts'
import { checkChoice, countIn, scriptOptions } from './options.ts'

const MEGABYTE = 1e6
/** The maximum 99th percentile in milliseconds for other clients while an attacker uses its limits fully. */
const MOST_P99 = 200
/** The maximum wait in milliseconds for any client at any time. */
const MOST_WAIT = 5000
const MOST_MEMORY = 20 * MEGABYTE
const PROVIDERS = ['openai', 'openai-compatible', 'anthropic']
const PLUGINS = ['scripted', ...PROVIDERS].map((name) => `@braidwork/provider-${name}`)

/** Attacks that start servers of their own. */
const OWN_ATTACKS = [
  { name: 'clock steps', run: stepClocks },
  { name: 'full disk', run: fillDisk },
  { name: 'children', run: ({ command }: InstalledCommand) => attackChildren({ command }) },
] as const

const { values } = scriptOptions({
  options: {
    only: { type: 'string' },
    profile: { type: 'string' },
    rounds: { type: 'string', default: '1' },
  },
})
const rounds = countIn('--rounds', values.rounds)
const names = [...SHARED_ATTACKS, ...OWN_ATTACKS].map(({ name }) => name)
checkChoice('--only', values.only, names)
const isWanted = ({ name }: { readonly name: string }) => (values.only ?? name) === name
const lookFor = values.only === 'worst bodies' ? 'largest bodies' : undefined
const attacks = SHARED_ATTACKS.filter((attack) => isWanted(attack) || attack.name === lookFor)
const installation = await installPacked(PROVIDERS.map((name) => `providers/${name}`))
try {
  const isGood = [await attackShared(), await attackOwn()].every(Boolean)
  process.exitCode = isGood ? 0 : 1
} finally {
  installation.remove()
}

async function attackShared(): Promise<boolean> {
  if (attacks.length === 0) return true
  const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  const options = { installation, plugins: PLUGINS, attacks, scale: 1, execArgv: profile }
  const campaign = await runAttacks({ ...options, rounds, onReport: print })
  return [...campaign.reports.map(isHeld), isMemoryBack(campaign)].every(Boolean)
}

async function attackOwn(): Promise<boolean> {
  let isGood = true
  for (const { name, run } of OWN_ATTACKS.filter(isWanted)) {
    const { tried, held, detail } = await run(installation)
    console.log(`${name}: ${held} of ${tried} held; ${tried === held ? 'good' : 'BAD'}`)
    for (const line of detail?.split('\n') ?? []) console.log(`   ${line}`)
    isGood &&= tried === held
  }
  return isGood
}

function print(report: AttackReport): void {
  const { name, tried, held, detail, duration, before, after, peak, seen } = report
  const { health, answers, faults } = seen
  console.log(
    [
      `${name}: ${held} of ${tried} held in ${Math.round(duration / 1000)} s`,
      `healthz p99 ${milliseconds(health.p99)}, slowest ${milliseconds(health.most)}`,
      `answers p99 ${milliseconds(answers.p99)}, slowest ${milliseconds(answers.most)}`,
      `longest stretch ${milliseconds(after.stretch)}`,
      `held ${megabytes(before.held)} → ${megabytes(after.held)} MB`,
      `rss ${megabytes(before.rss)} → ${megabytes(peak)} → ${megabytes(after.rss)} MB`,
      isHeld(report) ? 'good' : 'BAD',
    ].join('; '),
  )
  for (const line of [...(detail?.split('\n') ?? []), ...faults]) console.log(`   ${line}`)
}

function isHeld({ name, tried, held, seen }: AttackReport): boolean {
  const { health, answers, faults } = seen
  const isQuick =
    name === 'worst bodies'
      ? Math.max(health.p99, answers.p99) < MOST_P99
      : Math.max(health.most, answers.most) < MOST_WAIT
  return tried === held && faults.length === 0 && isQuick
}

/** Whether memory at rest returned to its first value. The server was idle equally long before each measurement. */
function isMemoryBack({ rests }: CampaignReport): boolean {
  const [before, ...after] = rests
  if (!before) return true
  const isBack = after.every(
    ({ rss, held }) => rss - before.rss < MOST_MEMORY && held - before.held < MOST_MEMORY,
  )
  const rss = rests.map((use) => megabytes(use.rss))
  const held = rests.map((use) => megabytes(use.held))
  console.log(
    `memory at rest before all attacks, and after each round of them: rss ${rss.join(', ')} MB; held ${held.join(', ')} MB: ${isBack ? 'good' : 'BAD'}`,
  )
  return isBack
}

function milliseconds(value: number): string {
  return `${Math.round(value)} ms`
}

function megabytes(value: number): number {
  return Math.round(value / MEGABYTE)
}
