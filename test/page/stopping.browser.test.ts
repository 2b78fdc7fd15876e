import { expect } from 'chai'
import type { Page } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const STOP = '.composer [aria-label="Stop"]'
const SEND = '.composer [aria-label="Send"]'
const STEER = '.composer [aria-label="Say this to the running answer"]'

describe('an answer that is stopped', function () {
  this.timeout(60_000)
  const script = [{ then: { text: Array(400).fill('and on').join(' '), chunks: 200 } }]
  const suite = new PageSuite({ script, delay: 50 })

  async function answering(): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'go')
    await page.waitForSelector(said('and on'))
    return page
  }

  const placeOf = (page: Page, selector: string) =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().right`)

  it('is stopped where a message is sent, and beside that while something is written', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    const place = await placeOf(page, SEND)
    await send(page, 'go')
    await page.waitForSelector(STOP)
    expect(await placeOf(page, STOP)).to.equal(place)
    await page.fill(TEXT, 'and this')
    await page.waitForSelector(STEER)
    expect(await placeOf(page, STEER)).to.equal(place)
    expect(await placeOf(page, STOP)).to.be.below(place)
    await page.click(STOP)
    await page.waitForSelector('.ended >> text=This answer was stopped.')
  })

  it('stops when somebody presses Escape in the empty box, and keeps what is written there', async () => {
    const page = await answering()
    await page.fill(TEXT, 'a thought')
    await page.keyboard.press('Escape')
    await page.waitForSelector(STOP)
    expect(await page.inputValue(TEXT)).to.equal('a thought')
    await page.fill(TEXT, '')
    await page.keyboard.press('Escape')
    await settled(page)
    await page.waitForSelector('.ended >> text=This answer was stopped.')
  })

  it('goes on after the second click of two on the button that sends', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.fill(TEXT, 'go')
    await page.dblclick(SEND)
    await page.waitForSelector(said('and on and on'))
    await page.waitForSelector(STOP)
  })
})
