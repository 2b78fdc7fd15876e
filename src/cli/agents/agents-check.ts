import { findingsOfAgents } from '../agent-findings.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { openRuntime } from '../open-runtime.ts'
import type { ConfigOptions } from '../options.ts'

/** `braidwork agents check`: tries every agent as its next run would, and prints what is wrong with each. */
export async function agentsCheckCommand(options: ConfigOptions): Promise<number> {
  const opened = await openRuntime(options)
  const { host, runtime, faults, diagnostics } = opened
  await using _ = host
  const found = [...diagnostics, ...(await findingsOfAgents(opened, diagnostics))]
  reportDiagnostics(found, true)
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  const [errors = 0, warnings = 0] = ['error', 'warning'].map(
    (wanted) => found.filter(({ level }) => level === wanted).length,
  )
  const parts = [
    count(runtime.agents.length + faults.length, 'agent'),
    count(errors, 'error'),
    count(warnings, 'warning'),
  ]
  process.stdout.write(`${parts.join(', ')}\n`)
  return errors > 0 ? EXIT.usage : EXIT.ok
}
