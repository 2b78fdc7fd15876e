import { type Command, Option } from 'commander'
import { configured } from './configured.ts'
import type { RunsExportOptions } from './runs.ts'

/** Adds the commands about runs that the server stored. */
export function addRuns(program: Command, done: (status: number) => void): void {
  const runs = program.command('runs').description('read the runs that the server stored')
  configured(runs.command('export'))
    .argument('<run>', 'the id of the run')
    .argument('[file]', 'output file, by default standard output')
    .description('write what a run tells, one line of JSON for each fact')
    .option('--owner <caller>', 'the id of the caller to whom the run belongs', 'local')
    .addOption(
      new Option('--format <name>', 'events of agentruntime, or records of agenttool')
        .choices(['agentruntime', 'agenttool'])
        .default('agentruntime'),
    )
    .action(async (run: string, file: string | undefined, options: RunsExportOptions) => {
      done(await (await import('./runs.ts')).runsExportCommand(run, file, options))
    })
}
