import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import scripted from '../../../../providers/scripted/index.ts'
import { memoryStorage } from '../../../../src/agent/memory-storage/index.ts'
import { createHost, type Host } from '../../../../src/core/index.ts'
import {
  type BraidworkServer,
  createServer,
  type Listening,
  LOCAL,
  listen,
} from '../../../../src/server/index.ts'
import calculator from '../../../../tools/calculator/index.ts'
import { pythonWithMcp } from '../../../helpers/python-mcp.ts'
import { SERVED } from '../../clients/scripts.ts'
import { Workshop } from './workshop.ts'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'fixtures', 'client.py')

interface Found {
  readonly protocol: string
  readonly tools: readonly string[]
  readonly forms: readonly string[]
  readonly progress: readonly (readonly unknown[])[]
  readonly results: {
    readonly [tool: string]: {
      readonly text: string
      readonly structured: object | null
      readonly isError: boolean
    }
  }
}

describe("Python's mcp as a client of a server", function () {
  this.timeout(360_000)
  let python: string
  let host: Host
  let server: BraidworkServer
  let listening: Listening

  before(async function () {
    python = await pythonWithMcp(this)
    const { server: _, plugins: _plugins, ...config } = SERVED
    host = await createHost({ plugins: [scripted, calculator, new Workshop().plugin], config })
    const tools = { config: { tool_policy: { remove: 'ask' } } } as const
    server = await createServer({
      host,
      storage: memoryStorage(),
      models: { quick: {}, tools },
      mcpTools: 'tools',
      anonymous: LOCAL,
    })
    listening = await listen(server, { port: 0, grace: 0 })
  })
  after(async () => {
    await listening?.close()
    await server?.close()
    await host?.close()
  })

  for (const [mode, protocol] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    it(`asks agents and calls tools, with forms and progress (${protocol})`, async () => {
      const { stdout } = await run(python, [PROGRAM, `${listening.url}/mcp`, mode])
      const { results, ...found } = JSON.parse(stdout) as Found
      expect(found.protocol).to.equal(protocol)
      expect(found.tools).to.include.members(['quick', 'tools', 'calculate', 'remove'])
      expect(results['quick']?.text).to.include('"result":"42"')
      expect(results['calculate']?.structured).to.deep.include({ result: '42' })
      expect(results['remove']).to.include({ text: 'a is gone', isError: false })
      expect(results['survey']?.text).to.equal('You said 4')
      expect(results['break']).to.include({ text: 'It broke.', isError: true })
      expect(found.forms).to.deep.equal([
        'May the tool "remove" be run with {"path":"a"}?',
        'How many?',
      ])
      expect(found.progress.slice(0, 2)).to.deep.equal([
        [1, 3, 'one'],
        [2, 3, null],
      ])
    })
  }
})
