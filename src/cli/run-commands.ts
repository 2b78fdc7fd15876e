import { type Command, Option } from 'commander'
import { configured } from './configured.ts'
import type { RunExplainOptions, RunReplayOptions } from './runs.ts'
import type { RunsExportOptions } from './runs-export.ts'

const OWNER = 'the identity that owns the run, by default that of callers without a token'

/** Adds the commands that read the runs that the server stored. */
export function addRuns(program: Command, done: (status: number) => void): void {
  const runs = program.command('runs').description('read the runs that the server stored')
  configured(runs.command('explain'))
    .argument('<run>', 'the id of a run')
    .description('say which model and tools a run had and why, what it called, and why it ended')
    .option('--owner <id>', OWNER)
    .option('--json', 'print the explanation as JSON')
    .action(async (run: string, options: RunExplainOptions) => {
      done(await (await import('./runs.ts')).runsExplainCommand(run, options))
    })
  configured(runs.command('replay'))
    .argument('<run>', 'the id of a run')
    .description('print the events of a run again, without asking a model')
    .option('--protocol <name>', 'as clients of this protocol read them, such as ag-ui')
    .option('--owner <id>', OWNER)
    .action(async (run: string, options: RunReplayOptions) => {
      done(await (await import('./runs.ts')).runsReplayCommand(run, options))
    })
  addExport(runs, done)
}

function addExport(runs: Command, done: (status: number) => void): void {
  configured(runs.command('export'))
    .argument('<run>', 'the id of a run')
    .argument('[file]', 'output file, by default standard output')
    .description('write what a run tells, one line of JSON for each fact')
    .addOption(
      new Option('--format <name>', 'events of agentruntime, or records of agenttool')
        .choices(['agentruntime', 'agenttool'])
        .default('agentruntime'),
    )
    .option('--owner <id>', OWNER)
    .action(async (run: string, file: string | undefined, options: RunsExportOptions) => {
      done(await (await import('./runs-export.ts')).runsExportCommand(run, file, options))
    })
}
