import { expect } from 'chai'
import usageCost from '../../extensions/usage-cost/index.ts'
import type { Extension } from '../../src/plugin/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready } from './writing.ts'

const usage = { input: 120_000, output: 1500 }
const SCRIPT = [{ then: { text: 'You said: {{user}}', usage } }]

/** Writes costs as `usage-cost` does, which knows no price of the scripted provider. */
const priced: Extension = {
  ...usageCost,
  name: 'priced',
  fromNative: (natives, core, context) =>
    usageCost.fromNative(natives, core, {
      ...context,
      modelInfo: { ...context.modelInfo, price: { input: 3, output: 15 } },
    }),
}

describe('what an answer took, on the page', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const config = { enabled_plugins: ['priced'] }
    served = await ServedPage.start({ script: SCRIPT, plugins: [priced], config })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  for (const [locale, text] of [
    ['en-US', '120,000 tokens in, 1,500 out · $0.383'],
    ['de-DE', '120.000 Tokens hinein, 1.500 heraus · 0,383\u00a0$'],
  ] as const) {
    it(`is its tokens and their cost, as people write numbers in ${locale}, also after a reload`, async () => {
      const page = await ready(await browser.open(served.url, { locale }))
      await echoed(page, 'hello')
      await page.waitForSelector('.usage')
      expect(await page.textContent('.usage')).to.equal(text)
      await page.reload()
      await page.waitForSelector('.usage')
      expect(await page.textContent('.usage')).to.equal(text)
    })
  }
})
