import type { Command } from 'commander'
import { configured } from '../configured.ts'
import type { ConfigOptions } from '../options.ts'
import type { StoreForgetOptions } from './store-forget.ts'

/** Adds the commands that export, import, back up, compact and forget the server's stored records. */
export function addStore(program: Command, done: (status: number) => void): void {
  const store = program
    .command('store')
    .description('export, import, back up, compact or forget the data that the server stored')
  configured(store.command('export'))
    .argument('[file]', 'output file, by default standard output')
    .description('write all records, one line of JSON each')
    .action(async (file: string | undefined, options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeExportCommand(file, options))
    })
  configured(store.command('import'))
    .argument('[file]', 'input file, by default standard input')
    .description('read exported records; records that exist already stay unchanged')
    .action(async (file: string | undefined, options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeImportCommand(file, options))
    })
  configured(store.command('backup'))
    .argument('<file>', 'the new file; its folder must exist')
    .description('copy an SQLite store into a new file, also while a server uses it')
    .action(async (file: string, options: ConfigOptions) => {
      done(await (await import('./store-backup.ts')).storeBackupCommand(file, options))
    })
  configured(store.command('forget'))
    .argument('<caller>', 'the id of the caller')
    .description('delete all that is stored of a caller, also while servers use the store')
    .option('--yes', 'delete it without asking')
    .action(async (caller: string, options: StoreForgetOptions) => {
      done(await (await import('./store-forget.ts')).storeForgetCommand(caller, options))
    })
  configured(store.command('compact'))
    .description(
      'free the disk space of deleted records; a server on the same store waits meanwhile',
    )
    .action(async (options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeCompactCommand(options))
    })
}
