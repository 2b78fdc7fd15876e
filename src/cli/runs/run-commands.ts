import { type Command, Option } from 'commander'
import { configured, wholeNumber } from '../configured.ts'
import type { RunExplainOptions, RunReplayOptions } from './runs.ts'
import type { RunsExportOptions } from './runs-export.ts'
import type { RunsListOptions } from './runs-list.ts'
import type { RunTreeOptions } from './runs-tree.ts'

const OWNER = 'the identity that owns the run, by default that of callers without a token'

/** Adds the commands that read the runs that the server stored. */
export function addRuns(program: Command, done: (status: number) => void): void {
  const runs = program.command('runs').description('read the runs that the server stored')
  addList(runs, done)
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
  addTree(runs, done)
  addExport(runs, done)
}

function addList(runs: Command, done: (status: number) => void): void {
  configured(runs.command('list'))
    .description('list the newest runs, without those that others waited for')
    .option(
      '--owner <id>',
      'the identity that owns the runs, by default that of callers without a token',
    )
    .option('--limit <number>', 'how many runs, by default 20', wholeNumber)
    .option('--json', 'print the runs as JSON')
    .action(async (options: RunsListOptions) => {
      done(await (await import('./runs-list.ts')).runsListCommand(options))
    })
}

function addTree(runs: Command, done: (status: number) => void): void {
  configured(runs.command('tree'))
    .argument('<run>', 'the id of a run')
    .description('draw a run with the runs that it waited for, and what became of them')
    .option('--owner <id>', OWNER)
    .option('--json', 'print the agents as JSON')
    .action(async (run: string, options: RunTreeOptions) => {
      done(await (await import('./runs-tree.ts')).runsTreeCommand(run, options))
    })
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
