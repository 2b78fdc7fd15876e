import type { Command } from 'commander'
import type { RecordOptions } from './record.ts'

/** Adds the command that records another one. `run` runs a command line of this program. */
export function addRecord(
  program: Command,
  done: (status: number) => void,
  run: (words: readonly string[]) => Promise<number>,
): void {
  program
    .command('record')
    .argument('<command...>', 'the command to record, behind "--", such as: -- chat Hello')
    .description('run a command, and write its exchanges with model APIs to a file for tests')
    .option('--out <file>', 'output file', 'recording.json')
    .option('--force', 'replace the file if it is there already')
    .action(async (words: string[], options: RecordOptions) => {
      const { recordCommand } = await import('./record.ts')
      done(await recordCommand(() => run(words), options))
    })
}
