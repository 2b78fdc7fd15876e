import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, type Storage, systemEnvironment } from '@braidwork/agent'
import { RunLog } from '@braidwork/agent/internal'
import { createHost, type Host } from '@braidwork/core'
import { openStorage } from '@braidwork/store'
import { inTurns, type Row, repeated, timeOf } from './measure.ts'
import { CALLER, configOf, WRITE } from './sides/caller.ts'

/** Runs at once, and the calls of each, one a step. */
const RUNS = 100
const CALLS = 5
const REPEATS = 200

/** What a call of a tool costs, and what it costs to wait until its record is stored. */
export async function calls(): Promise<readonly Row[]> {
  const host = await createHost({ plugins: [CALLER, WRITE] as never })
  const rows = [...(await ofOneCall(host)), ...(await ofTheBarrier(host))]
  await host.close()
  return rows
}

async function ofOneCall(host: Host): Promise<readonly Row[]> {
  const sides = [
    { what: 'host.stream, two requests', run: () => streamTwice(host) },
    { what: 'run, with one call between', run: () => run(host, asked(1)).result },
  ].map((side) => repeated(side, REPEATS))
  const values = await inTurns(sides, timeOf)
  return [...values].map(([what, value]) => ({
    group: 'a run of one call, stored nowhere',
    what,
    value: (1000 * value) / REPEATS,
    unit: 'µs',
  }))
}

const asked = (count: number) => ({ config: configOf(count), messages: 'Go.' })

async function streamTwice(host: Host): Promise<void> {
  for (let request = 0; request < 2; request++) await host.stream(configOf(0), 'Go.').result
}

/** Runs at once on SQLite: with calls that wait for the commit of their record, and with calls that do not. */
async function ofTheBarrier(host: Host): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'braidwork-bench-'))
  const storage = await openStorage(join(folder, 'runs.db'))
  const sides = [
    { what: 'without a barrier', run: () => runAll(host, storage, false) },
    { what: 'each call once its record is stored', run: () => runAll(host, storage, true) },
  ]
  const values = await inTurns(sides, timeOf, 5)
  await storage.close()
  await rm(folder, { recursive: true })
  return [...values].map(([what, value]) => ({
    group: `${RUNS} runs of ${CALLS} calls at once, SQLite`,
    what,
    value,
    unit: 'ms',
  }))
}

async function runAll(host: Host, storage: Storage, hasBarrier: boolean): Promise<void> {
  const log = new RunLog({ storage, environment: systemEnvironment, log: () => undefined })
  const ids = Array.from({ length: RUNS }, () => systemEnvironment.newId('run'))
  await Promise.all(
    ids.map(async (id) => {
      await log.start({
        run: { id, owner: 'bench', order: {} },
        open: (_, { signal, committed }) =>
          run(host, { ...asked(CALLS), signal, runId: id, ...(hasBarrier ? { committed } : {}) }),
      })
      for await (const _ of log.read('bench', id));
      const { status = 'unknown' } = (await storage.runs.load('bench', id)) ?? {}
      if (status !== 'done') throw new Error(`A run ended as ${status}.`)
    }),
  )
  await log.close()
}
