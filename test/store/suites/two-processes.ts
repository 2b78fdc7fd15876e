import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { StoredRecord } from '../../../src/agent/storage/index.ts'
import { bundledProgram } from '../../helpers/bundled-program.ts'
import { begin } from '../backends.ts'
import type { Written } from './migrations.ts'

const PROGRAM = fileURLToPath(new URL('../opening-process.ts', import.meta.url))
/** So many that migrating takes longer than it takes both processes to begin. */
const MANY = 20_000

function versionOne(kind: string): string {
  const url = new URL(`../fixtures/version-1.${kind}.sql`, import.meta.url)
  const rows = Array.from({ length: MANY }, (_, at) => {
    const seq = at + 10
    const event = { type: 'text-delta', id: '1', delta: `${at} `, runId: 'run-1', seq }
    return `('run-1',${seq},'text-delta','${JSON.stringify(event)}')`
  })
  // The dump of PostgreSQL leaves no schema to search in.
  const table = kind === 'sqlite' ? 'events' : 'public.events'
  const more = `INSERT INTO ${table} (run_id, seq, type, event) VALUES ${rows.join(',')};`
  return `${readFileSync(url, 'utf8')}\n${more}`
}

/** What two processes do that open a storage of an earlier version at once. */
export function twoProcessesSuite({ backend, restore }: Written): void {
  describe(`a storage in ${backend.name} that two processes open at once`, function () {
    this.timeout(60_000)
    before(async function () {
      await begin(backend, this)
    })
    after(() => backend.end())

    it('and version 1 has written is migrated once, and whole for both', async () => {
      const place = backend.place()
      await restore(place, versionOne(backend.name === 'SQLite' ? 'sqlite' : 'postgres'))
      const [first, second] = await openTwice(place)
      const typesOf = (type: string) => first.filter((record) => record.type === type)
      expect(typesOf('event')).to.have.length(MANY + 7)
      expect(typesOf('conversation')).to.have.length(3)
      expect(second).to.deep.equal(first)
      expect(await openTwice(place)).to.deep.equal([first, first])
    })
  })
}

/** Opens a storage in two processes at once. Returns what each finds there. */
export async function openTwice(
  place: string,
): Promise<readonly [readonly StoredRecord[], readonly StoredRecord[]]> {
  const program = await bundledProgram(PROGRAM)
  const first = spawn(process.execPath, [program, place])
  const second = spawn(process.execPath, [program, place])
  await Promise.all([first, second].map(({ stdout }) => once(stdout, 'readable')))
  for (const { stdin } of [first, second]) stdin.write('go')
  return Promise.all([recordsOf(first), recordsOf(second)])
}

async function recordsOf(child: ChildProcessWithoutNullStreams): Promise<readonly StoredRecord[]> {
  const [[status], told, failure] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  expect(status, failure).to.equal(0)
  const [, ...lines] = told.trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
