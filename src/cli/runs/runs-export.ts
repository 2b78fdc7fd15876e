import type { Storage, StoredRun } from '@braidwork/agent'
import { exportFacts, type FactFormat } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { LOCAL } from '@braidwork/server'
import { jsonText } from '../characters.ts'
import { EXIT } from '../exit.ts'
import type { ConfigOptions } from '../options.ts'
import { withStorage } from '../server-store.ts'
import { writeLines } from '../write-lines.ts'

export interface RunsExportOptions extends ConfigOptions {
  readonly owner?: string
  readonly format: FactFormat
}

/**
 * `braidwork runs export <run> [file]`: writes the facts of a stored run, one line of JSON each.
 * @throws {HostError} RUN_UNKNOWN, also for a run of another owner
 */
export async function runsExportCommand(
  id: string,
  file: string | undefined,
  { owner = LOCAL.id, format, ...options }: RunsExportOptions,
): Promise<number> {
  return withStorage(options, async (storage) => {
    const run = await storage.runs.load(owner, id)
    if (!run) throw unknownRun(id, owner)
    await writeLines(linesOf(run, storage, format), file)
    return EXIT.ok
  })
}

async function* linesOf(
  run: StoredRun,
  storage: Storage,
  format: FactFormat,
): AsyncGenerator<string> {
  for await (const fact of exportFacts(run, storage, { format })) yield `${jsonText(fact)}\n`
}

function unknownRun(id: string, owner: string): HostError {
  const message = `"${owner.slice(0, 100)}" has no run "${id.slice(0, 100)}". The owner of a run is the caller who began it: name it with --owner.`
  return new HostError('RUN_UNKNOWN', message)
}
