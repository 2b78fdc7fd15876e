import { LoadProcess } from '../../../test/server/load/processes.ts'
import type { BystanderAnswer, BystanderQuestion } from './bystander.ts'
import type { Tally } from './tally.ts'

/** Checks the health of servers during an attack. A server that does not answer counts as a fault. */
export async function watchHealth(
  url: string,
  tally: Tally,
  act: () => Promise<void>,
): Promise<void> {
  const bystander = await LoadProcess.start(new URL('./bystander.ts', import.meta.url).href)
  try {
    await bystander.ask({ begin: { url } } satisfies BystanderQuestion)
    await act()
    const { health, faults } = await bystander.ask<BystanderAnswer>({})
    tally.add(faults[0])
    tally.note(`healthz p99 ${Math.round(health.p99)} ms, slowest ${Math.round(health.most)} ms`)
  } finally {
    await bystander.end()
  }
}
