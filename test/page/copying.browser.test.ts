import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const NONE = 'Object.defineProperty(navigator, "clipboard", { value: undefined });'
const REFUSING =
  'navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));'
const CANNOT = 'document.execCommand = () => false;'
/** Keeps what the command copies. A browser without a screen gives nobody its clipboard. */
const COPIES =
  'document.execCommand = () => { window.copied = document.activeElement.value; return true };'

describe('copying on the page', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: [{ then: { text: '```js\n1 + 1\n```' } }] })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function answered(init: string): Promise<Page> {
    const page = await ready(await browser.open(served.url, { init }))
    await send(page, 'hello')
    await page.waitForSelector(said('1 + 1'))
    await settled(page)
    return page
  }

  for (const [where, init] of [
    ['has no clipboard', NONE],
    ['does not permit it', REFUSING],
  ] as const) {
    it(`works where the browser ${where}`, async () => {
      const page = await answered(init + COPIES)
      await page.hover('.own')
      await page.click('.own [aria-label="Copy"]')
      await page.waitForSelector('.own [aria-label="Copied"]')
      expect(await page.evaluate('window.copied')).to.equal('hello')
      await page.click('.markdown-code button')
      await page.waitForSelector('.markdown-code button:text-is("Copied")')
      expect(await page.evaluate('window.copied')).to.equal('1 + 1')
      expect(await page.evaluate('document.querySelectorAll("textarea").length')).to.equal(1)
    })

    it(`says that it failed where the browser ${where} and cannot do it otherwise`, async () => {
      const page = await answered(init + CANNOT)
      await page.hover('.own')
      await page.click('.own [aria-label="Copy"]')
      await page.waitForSelector('.own [role=alert] >> text=The browser did not copy it.')
      await page.click('.markdown-code button')
      await page.waitForSelector('.markdown-status >> text=The browser did not copy it.')
      await until(page, 'getSelection().toString().trim() === "1 + 1"')
    })
  }
})
