import { expect } from 'chai'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
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
  const suite = new PageSuite({ script: [{ then: { text: '```js\n1 + 1\n```' } }] })

  async function answered(init: string): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url, { init }))
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
