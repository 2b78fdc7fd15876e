import { expect } from 'chai'
import type { Storage, StoredRecord } from '../../../src/agent/storage/index.ts'
import { factFaults } from '../../helpers/fact-schemas.ts'
import { approvalFaults } from './approvals.ts'
import { conversationFaults } from './conversations.ts'
import { entryFaults } from './entries.ts'
import { legFaults, legsOf } from './legs.ts'
import { type RunRecords, runFaults } from './runs.ts'

type Of<T extends StoredRecord['type']> = Extract<StoredRecord, { readonly type: T }>

/**
 * Checks that all that a storage has agrees: each run with its events, its approvals, its lease and its state, each
 * conversation with the events of its runs, and the sizes that are counted with what there is. It does not matter
 * how the runs went. Pass it a storage on which no process works any more.
 * @param open opens another storage of the same kind, empty
 */
export async function expectAgreement(
  storage: Storage,
  open: () => Promise<Storage>,
  at = 'the storage',
): Promise<void> {
  expect(await faultsOf(storage, open), at).to.deep.equal([])
}

/** What does not agree in a storage, a sentence each. */
async function faultsOf(
  storage: Storage,
  open: () => Promise<Storage>,
): Promise<readonly string[]> {
  const records: StoredRecord[] = []
  for await (const record of storage.exportRecords()) records.push(record)
  const of = <T extends StoredRecord['type']>(type: T): readonly Of<T>[] =>
    records.filter((record): record is Of<T> => record.type === type)
  const faults: string[] = []
  for (const { run } of of('run')) {
    const own: RunRecords = {
      run,
      events: of('event').flatMap(({ event }) => (event.runId === run.id ? [event] : [])),
      entries: of('entry').flatMap(({ entry }) => (entry.runId === run.id ? [entry] : [])),
      approvals: of('approval').flatMap(({ approval }) =>
        approval.runId === run.id ? [approval] : [],
      ),
    }
    const found = [...(await runFaults(storage, own)), ...recordFaults(own)]
    faults.push(...found.map((fault) => `run ${run.id}: ${fault}`))
  }
  for (const { conversation } of of('conversation')) {
    const found = await conversationFaults(storage, conversation)
    faults.push(...found.map((fault) => `conversation ${conversation.id}: ${fault}`))
  }
  return [...faults, ...(await usageFaults(storage, records, open))]
}

/** What does not agree within the records of one run. */
function recordFaults(own: RunRecords): readonly string[] {
  const legs = legsOf(own.events)
  return [
    ...legs.flatMap((leg, index) =>
      legFaults(leg, index === legs.length - 1 ? own.run : undefined),
    ),
    ...entryFaults(own, legs),
    ...approvalFaults(own, legs),
    ...factFaults(own.run, own.events),
  ]
}

/** What is counted of each owner is what an import of the same records counts. */
async function usageFaults(
  storage: Storage,
  records: readonly StoredRecord[],
  open: () => Promise<Storage>,
): Promise<readonly string[]> {
  const copy = await open()
  await copy.importRecords(records)
  const owners = new Set(
    records.flatMap((record) => (record.type === 'run' ? [record.run.owner] : [])),
  )
  const faults: string[] = []
  for (const owner of owners) {
    const counted = JSON.stringify(await storage.usage(owner))
    const there = JSON.stringify(await copy.usage(owner))
    if (counted !== there) faults.push(`the usage of ${owner} is ${counted} and not ${there}`)
  }
  await copy.close()
  return faults
}
