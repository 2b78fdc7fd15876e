import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Tool } from '../../src/plugin/index.ts'
import mcp from '../../tools/mcp/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { sdkServer } from '../tools/mcp/servers.ts'
import { axeFindings, Browser } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const REPORT = Array.from({ length: 2000 }, (_, at) => `entry ${at}`).join('\n')

/** A tool whose result is too large for a model. */
const report: Tool = {
  kind: 'tool',
  name: 'report',
  getToolSchemas: () => [
    { name: 'report', description: 'Reports.', input_schema: { type: 'object' } },
  ],
  executeTool: () => ({ output: REPORT }),
}

const SCRIPT = [
  { when: { tool: 'fx__asks' }, then: { text: 'It says: {{result.fx__asks}}' } },
  { when: { tool: 'report' }, then: { text: 'I have it.' } },
  { when: { text: 'paint' }, then: { tool_calls: [{ name: 'fx__asks', input: {} }] } },
  { when: { text: 'report' }, then: { tool_calls: [{ name: 'report', input: {} }] } },
]
const CONFIG = {
  enabled_plugins: ['mcp', 'report'],
  limits: { tool_result_bytes: 2048 },
  settings: { mcp: { servers: { fx: sdkServer('--era', '2026') } } },
}

describe('calls of tools on the page', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: SCRIPT, plugins: [mcp, report], config: CONFIG })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  it('save the whole of a large result', async () => {
    const page = await ready(await browser.open(served.url))
    await send(page, 'report')
    await page.waitForSelector(said('I have it.'))
    await settled(page)
    await page.click('.tool summary')
    const saved = page.waitForEvent('download')
    await page.click('.tool button:has-text("Save the whole result")')
    expect(readFileSync(await (await saved).path(), 'utf8')).to.equal(REPORT)
  })

  it('ask in the middle of their work by a form, and go on with the answer', async () => {
    const page = await ready(await browser.open(served.url))
    await send(page, 'paint')
    await page.waitForSelector('.asked >> text=Which color?')
    await page.waitForSelector('.asked .rjsf select')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.reload()
    await page.waitForSelector('.asked .rjsf select')
    await page.selectOption('.asked .rjsf select', 'blue')
    await page.click('.asked button.main')
    await page.waitForSelector(said('It says: accept: blue'))
    await settled(page)
    await page.waitForSelector('.asked', { state: 'detached' })
  })
})
