import { openStorage } from '../../src/store/index.ts'

/**
 * A program: opens the storage that it is given when it is told to, and prints what the storage has, a record on each
 * line. It first says that it is ready.
 */
process.stdout.write('ready\n')
process.stdin.once('data', () => void printRecords())

async function printRecords(): Promise<void> {
  const storage = await openStorage(process.argv[2] ?? '')
  await storage.check()
  for await (const record of storage.exportRecords()) {
    process.stdout.write(`${JSON.stringify(record)}\n`)
  }
  await storage.close()
  process.stdin.destroy()
}
