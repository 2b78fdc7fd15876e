import { expect } from 'chai'
import type { Page } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready } from './writing.ts'

/** Each button of the first row: its width, whether it gets a click at its center, and how opaque it is. */
const BUTTONS = `[...document.querySelectorAll('.chat-row .icon')].slice(0, 2).map((button) => {
  const { x, y, width, height } = button.getBoundingClientRect()
  const met = document.elementFromPoint(x + width / 2, y + height / 2)
  return [width >= 24 && height >= 24, button.contains(met), getComputedStyle(button).opacity]
})`

describe('the buttons in the list of conversations', function () {
  this.timeout(60_000)
  const suite = new PageSuite({ script: [] })
  before(() => suite.served?.store('towers', []))

  const buttonsOf = (page: Page) => page.evaluate<readonly unknown[]>(BUTTONS)

  it('have their place before the pointer is there', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.waitForSelector('.chat-row')
    expect(await buttonsOf(page)).to.deep.equal(Array(2).fill([true, true, '0']))
    await page.hover('.chat-row')
    expect(await buttonsOf(page)).to.deep.equal(Array(2).fill([true, true, '1']))
  })

  it('are seen on a screen without a pointer', async () => {
    const touch = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true }
    const page = await ready(await suite.browser.open(suite.served.url, touch))
    await page.waitForSelector('.chat-row')
    expect(await buttonsOf(page)).to.deep.equal(Array(2).fill([true, true, '1']))
  })
})
