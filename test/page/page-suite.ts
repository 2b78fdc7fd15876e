import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser } from './open-page.ts'
import { ServedPage } from './served-page.ts'

/**
 * A server with the page, and a browser, for the tests of a suite. They are skipped where there is no browser. Each test
 * must leave no fault on its pages.
 */
export class PageSuite {
  browser!: Browser
  served!: ServedPage

  /** Registers the hooks of the suite that is being described. */
  constructor(options: Parameters<typeof ServedPage.start>[0]) {
    before(function () {
      if (BROWSER_IS_MISSING !== undefined) this.skip()
    })
    before(async () => {
      if (BROWSER_IS_MISSING !== undefined) return
      this.served = await ServedPage.start(options)
      this.browser = await Browser.launch()
    })
    after(async () => {
      await this.browser?.close()
      await this.served?.close()
    })
    afterEach(() => {
      expect(this.browser?.faults.splice(0) ?? []).to.deep.equal([])
    })
  }
}
