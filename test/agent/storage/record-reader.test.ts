import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { StoredRecord } from '../../../src/agent/storage/index.ts'
import { RecordReader } from '../../../src/agent/storage/record-reader.ts'
import { conversationKey, openStorage } from '../../../src/store/index.ts'
import { errorOf } from '../../helpers/plugins.ts'

const LINES = readFileSync(new URL('../../store/fixtures/version-1.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))

describe('RecordReader', () => {
  async function read(lines: readonly unknown[]): Promise<StoredRecord[]> {
    const reader = new RecordReader()
    const records: StoredRecord[] = []
    for (const line of lines) records.push(await reader.read(line))
    return records
  }

  it('reads an export of version 1, which says of no entry whose it is', async () => {
    const storage = await openStorage('memory')
    expect(await storage.importRecords(await read(LINES))).to.equal(LINES.length)
    const other = await openStorage('memory')
    expect(await other.importRecords(LINES as unknown as StoredRecord[])).to.equal(LINES.length)
    const ids = async (owner: string, id: string) =>
      (await storage.conversations.history(owner, id)).map((entry) => entry.id)
    expect(await ids('ada', 'talk')).to.deep.equal(['q1b', 'a2'])
    expect(await ids('team/50%', 'bobs')).to.deep.equal(['q3'])
    const values = [conversationKey('ada', 'talk'), conversationKey('team/50%', 'bobs'), undefined]
    const kept = values.map((key) => storage.storageOf('memory', key).get('k'))
    expect(await Promise.all(kept)).to.deep.equal([{ v: 1 }, 'theirs', 2])
  })

  it('reads the order of a run of version 1, which was called its facts', async () => {
    const storage = await openStorage('memory')
    await storage.importRecords(await read(LINES))
    expect((await storage.runs.load('ada', 'run-1'))?.order).to.deep.equal({ protocol: 'ag-ui' })
    const both = { ...LINES.find(({ type }) => type === 'run') }
    both['run'] = { ...(both['run'] as object), order: { protocol: 'other' } }
    expect(await read([both])).to.deep.equal([both])
  })

  it('reads what this version writes as it stands, whatever ids look like', async () => {
    const storage = await openStorage('memory')
    for (const id of ['talk', 'ada', 'ada/talk']) {
      await storage.conversations.create({ id, owner: 'ada', agent: 'a', sender: 's' }, 1)
      const message = { role: 'user', parts: [{ type: 'text', text: id }] } as const
      const entries = [{ id: 'q', kind: 'message', message }] as const
      await storage.conversations.append('ada', id, { entries }, 2)
      await storage.storageOf('memory', conversationKey('ada', id)).set('k', id)
    }
    const records: StoredRecord[] = []
    for await (const record of storage.exportRecords()) records.push(record)
    expect(await read(records)).to.deep.equal(records)
  })

  it('says of an entry whose conversation is missing what to do', async () => {
    const alone = LINES.filter(({ type }) => type === 'entry')
    const { code, message, pointer } = await errorOf(read(alone))
    expect({ code, pointer }).to.deep.equal({ code: 'REQUEST_INVALID', pointer: '/owner' })
    expect(message)
      .to.include('its conversation "bobs"')
      .and.include('import the export as a whole')
    const hostile = { type: 'entry', conversationId: '__proto__', entry: {} }
    expect((await errorOf(read([hostile]))).message).to.include('"__proto__"')
    expect((await errorOf(read([{ type: 'entry', entry: {} }]))).code).to.equal('REQUEST_INVALID')
  })
})
