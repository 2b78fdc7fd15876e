import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHost, textOf } from '../../../src/core/index.ts'
import type { Message } from '../../../src/plugin/events/index.ts'
import { textPart } from '../../helpers/both-ways.ts'
import { CASES_ENV } from '../../helpers/cases.ts'
import { eventProvider } from '../../helpers/plugins.ts'
import { describePythonTests, pythonOf } from '../../helpers/python.ts'

const FOLDER = './features/doc-context'

describePythonTests('doc-context, over folders of its own', 'test/features/doc-context', CASES_ENV)

describe('doc-context in a host', function () {
  this.timeout(30_000)
  let folder: string
  before(async function () {
    await pythonOf(this)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doc-context-'))
    await writeFile(join(folder, 'bread.md'), 'Bake bread for an hour.')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('shows pieces to any provider, in send and in stream, and none in the answer', async () => {
    const seen: (readonly Message[])[] = []
    const provider = eventProvider(textPart(['For an hour.']), {
      toNative: (messages: readonly Message[]) => {
        seen.push(messages)
        return messages
      },
    })
    const config = { enabled_plugins: ['doc-context'], settings: { 'doc-context': { folder } } }
    const host = await createHost({ plugins: [provider, FOLDER], config })
    const sent = await host.send({}, 'How long do I bake?')
    const streamed = await host.stream({}, 'How long do I bake?').result
    await host.close()
    expect(seen[0]?.map(textOf).join()).to.include('"text":"Bake bread for an hour."')
    expect(seen[1]).to.deep.equal(seen[0])
    expect(sent.messages.map(textOf)).to.deep.equal(['For an hour.'])
    expect(streamed.messages).to.deep.equal(sent.messages)
  })

  it('names a folder that is not there, and warns of what it left out', async () => {
    const host = await createHost({
      plugins: [eventProvider(textPart(['Hm.'])), FOLDER],
      config: { enabled_plugins: ['doc-context'] },
    })
    const ask = (settings: object) =>
      host.stream({ settings: { 'doc-context': { ...settings } } }, 'How?').result
    const { error } = await ask({ folder: join(folder, 'none') })
    expect(error).to.include({
      code: 'SETTINGS_INVALID',
      plugin: 'doc-context',
      pointer: '/settings/doc-context/folder',
    })
    expect(error?.message).to.include('does not exist')
    const { warnings } = await ask({ folder, max_file_bytes: 5 })
    expect(warnings.join()).to.include('left out: 1 (bread.md)')
    await host.close()
  })
})
