import { apart } from './apart.ts'
import type { Row } from './measure.ts'
import { AGENTS } from './sides/agents.ts'

/** A program that runs agents all day has its code compiled, which takes some thousand runs. */
const SCHEDULE = { warmUp: 10_000, warmUpAgain: 300, repeats: 200, turns: 25 }

/** The time of an agent, and of it the part that is not the requests to its model. */
export async function agents(): Promise<readonly Row[]> {
  return [
    ...(await compared('agent of one answer', 'an agent of one answer')),
    ...(await compared('agent of one call', 'an agent of one call and one answer')),
  ]
}

async function compared(
  kind: 'agent of one answer' | 'agent of one call',
  group: string,
): Promise<readonly Row[]> {
  const rows = await apart({ kind, url: '' }, 'time', SCHEDULE)
  const timeOf = (name: string) => rows.find(({ what }) => what === name)?.value ?? Number.NaN
  return [
    ...rows.map((row) => ({ ...row, group })),
    ...AGENTS.map(([agent, alone]) => ({
      group: `${group}, without its requests`,
      what: agent,
      value: timeOf(agent) - timeOf(alone),
      unit: 'µs' as const,
    })),
  ]
}
