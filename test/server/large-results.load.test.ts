import { join } from 'node:path'
import { expect } from 'chai'
import scripted from '../../providers/scripted/index.ts'
import type { Storage } from '../../src/agent/storage/index.ts'
import { openStorage } from '../../src/store/index.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { SmallDisk } from '../helpers/small-disk.ts'
import { chatBody, Served, user } from './routes/served.ts'

const LARGE = 'a long way '.repeat(100_000)
const SCRIPT = [
  { when: { step: 1 }, then: { tool_calls: [{ name: 'big', input: {} }] } },
  { then: { text: 'Done.' } },
]
const CONFIG = { settings: { scripted: { delay_ms: 0, script: SCRIPT } } }

describe('a large result for which the disk has no room', () => {
  let disk: SmallDisk
  let storage: Storage
  let served: Served
  beforeEach(async function () {
    const mounted = SmallDisk.mount(8192)
    if (!mounted) {
      process.stderr.write('"a large result" is skipped: no file system may be mounted here\n')
      return this.skip()
    }
    disk = mounted
    storage = await openStorage(join(disk.folder, 'data.db'))
  })
  afterEach(async () => {
    await served.close()
    await storage.close()
    disk.unmount()
  })

  it('LT-09 is lost, which the model is told; the run and the next one go on', async () => {
    let isFull = true
    const big = tool('big', {
      getToolSchemas: () => [schema('big')],
      executeTool: () => {
        // Room for events is left, but none for the result.
        if (isFull) disk.fill(512)
        return LARGE
      },
    })
    const plugins = [scripted, big]
    served = await Served.start({ models: { quick: {} }, storage }, { plugins, config: CONFIG })
    const turn = (id: string) =>
      served.ask('/api/chat?sdk=6', { body: chatBody('talk', [user(id, 'go')]) })
    const { text } = await turn('a')
    expect(text).to.include('Done.').and.not.include('"type":"error"')
    expect(text).to.include('result_too_large').and.include('could not be stored')
    expect(text).to.not.include(disk.folder)
    disk.free()
    isFull = false
    const after = await turn('b')
    expect(after.text).to.include('Done.').and.include('"references":[{"hash"')
  })
})
