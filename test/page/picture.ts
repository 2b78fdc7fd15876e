import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import citations from '../../extensions/citations/index.ts'
import smooth from '../../extensions/smooth-stream/index.ts'
import usageCost from '../../extensions/usage-cost/index.ts'
import instructions from '../../features/instructions/index.ts'
import trimHistory from '../../features/trim-history/index.ts'
import calculator from '../../tools/calculator/index.ts'
import fetchTool from '../../tools/fetch/index.ts'
import { Browser } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const QUESTION = 'What is 12 * 34, and what day is it?'

const SCRIPT = [
  {
    when: { tool: 'current_time' },
    then: { text: '12 * 34 = **408**, and today is Saturday, 21 November 2026.' },
  },
  {
    when: { text: '12 * 34' },
    then: {
      reasoning: 'I call calculate for 12 * 34, and current_time.',
      tool_calls: [
        { name: 'calculate', input: { expression: '12 * 34' } },
        { name: 'current_time', input: {} },
      ],
    },
  },
]

const CONFIG = {
  enabled_plugins: ['instructions', 'smooth-stream'],
  settings: {
    clock: { now: '2026-11-21T12:00:00Z', time_zone: 'UTC' },
    instructions: { text: 'Answer in one sentence.' },
  },
}

/** A picture of the page, as PNG: a chat with calls of tools, and the drawer "Why" beside it. It is the same each time. */
export async function picture(): Promise<Buffer> {
  const features = [instructions, trimHistory]
  const plugins = [...features, smooth, usageCost, citations, calculator, fetchTool]
  const served = await ServedPage.start({ script: SCRIPT, plugins, config: CONFIG })
  const browser = await Browser.launch()
  const path = join(tmpdir(), `braidwork-page-${process.pid}.png`)
  try {
    const page = await ready(await browser.open(served.url, { colorScheme: 'light' }))
    await send(page, QUESTION)
    await page.waitForSelector(said('today is'))
    await settled(page)
    await page.waitForSelector('.chat-row.open')
    await page.click('.why-button')
    await page.waitForSelector('dialog [data-plugin="calculator"]')
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    await page.screenshot({ path })
    return await readFile(path)
  } finally {
    await rm(path, { force: true })
    await browser.close()
    await served.close()
  }
}
