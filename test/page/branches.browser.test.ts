import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled } from './writing.ts'

const SCRIPT = [{ when: {}, then: { text: 'It is late.' } }]

describe('a branch on the page', function () {
  this.timeout(60_000)
  let server: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`"${this.test?.parent?.title}" is skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    server = await ServedPage.start({ script: SCRIPT })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.close()
  })

  /** Opens a branch of a new conversation. @returns the page, and the address of the original */
  async function branch(): Promise<{ readonly page: Page; readonly original: string }> {
    const page = await ready(await browser.open(server.url))
    await send(page, 'hello')
    await page.waitForSelector(said('It is late.'))
    await settled(page)
    const original = page.url()
    await page.click('[aria-label="Continue in a new chat from here"]')
    await page.waitForURL(({ href }) => href !== original)
    await page.waitForSelector(said('It is late.'))
    return { page, original }
  }

  it('names who answered, and shows the time line of the answers that it copied', async () => {
    const { page } = await branch()
    expect(await page.textContent('.message:not(.own) .author')).to.equal('scripted-1')
    await page.waitForSelector('.usage >> text=tokens in')
    await page.click('[aria-label="What was sent, and when"]')
    await page.waitForSelector('.sent >> text=Computed again')
    await page.click('[role=tab]:has-text("Time line")')
    await page.waitForSelector('.time-run')
    expect(browser.faults).to.deep.equal([])
  })

  it('says what is gone once the original was deleted', async () => {
    const { page, original } = await branch()
    const id = new URL(original).searchParams.get('chat')
    await page.evaluate(`fetch('/api/conversations/${id}', { method: 'DELETE' })`)
    await page.reload()
    await page.waitForSelector(said('It is late.'))
    expect(await page.textContent('.message:not(.own) .author')).to.equal('scripted-1')
    await page.click('[aria-label="What was sent, and when"]')
    await page.waitForSelector('.sent >> text=with the settings of the next one')
    await page.click('[role=tab]:has-text("Time line")')
    await page.waitForSelector('dialog >> text=its time line with it')
    expect(await axeFindings(page)).to.deep.equal([])
    expect(browser.takeRefusals()).to.include('404')
    expect(browser.faults).to.deep.equal([])
  })
})
