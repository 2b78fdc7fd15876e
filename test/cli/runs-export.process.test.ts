import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { RunEvent, RunEventBody } from '../../src/plugin/events/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { braidwork } from './command.ts'

const BODIES: readonly RunEventBody[] = [
  { type: 'start', requestId: 'r' },
  { type: 'step-start', step: 1, requestId: 'r' },
  { type: 'text-delta', id: 't', delta: 'A bell: \u0007' },
  { type: 'finish', finishReason: 'stop', usage: {}, messages: [] },
]

describe('braidwork runs export', () => {
  let folder: string
  let config: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'braidwork-runs-'))
    const store = join(folder, 'kept.db')
    config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ server: { store } }))
    const storage = await openStorage(store)
    const run = { id: 'run-1', owner: 'ada', order: {} }
    await storage.runs.start(run, { holder: 'h', expiresAt: 1 }, { entries: [] }, 1)
    const events = BODIES.map((body, seq): RunEvent => ({ ...body, runId: 'run-1', seq, at: seq }))
    const end = { runId: 'run-1', holder: 'h', status: 'done', events, entries: [] } as const
    await storage.runs.end(end, 5)
    await storage.close()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const runs = (...args: readonly string[]) =>
    braidwork(['runs', 'export', ...args, '--config', config], { cwd: folder })

  it('writes the facts of a run as lines, to standard output or to a file', async () => {
    const { out, status } = await runs('run-1', '--owner', 'ada')
    expect(status).to.equal(0)
    expect(out).to.not.include('\u0007')
    const types = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type as string)
    expect(types).to.include.members(['session.created', 'model.delta', 'turn.completed'])
    const file = join(folder, 'facts.jsonl')
    const written = await runs('run-1', file, '--owner', 'ada')
    expect(written).to.deep.include({ status: 0, out: '', err: '' })
    expect(readFileSync(file, 'utf8')).to.equal(out)
  })

  it('has no run of another owner, and no other format', async () => {
    const other = await runs('run-1')
    expect([other.status, other.out]).to.deep.equal([1, ''])
    expect(other.err).to.include('"local" has no run "run-1"').and.include('--owner')
    expect((await runs('run-1', '--format', 'xml')).status).to.not.equal(0)
  })
})
