import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

/** A model API that fails once before the first word of an answer, and one that never answers. */
const SCRIPT = [
  { when: { text: 'tea' }, then: { text: 'Earl Grey', fault: { type: 'failed', times: 1 } } },
  { when: { text: 'limit' }, then: { text: 'Later', fault: { type: 'rate-limit', times: 1 } } },
  { when: { text: 'wait' }, then: { text: 'Never', fault: 'stall' } },
  { then: { text: 'You said: {{user}}' } },
]

const AGAIN = '.own [aria-label="Answer again"]'

describe('a turn whose run fails before its first word', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: SCRIPT })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  /** The texts of the person. */
  async function asked(page: Page): Promise<readonly string[]> {
    return page.evaluate(
      `[...document.querySelectorAll('.own .said')].map((said) => said.textContent)`,
    )
  }

  for (const { text, status, answer, reason } of [
    { text: 'tea', status: '502', answer: 'Earl Grey', reason: 'The model API failed.' },
    { text: 'limit', status: '429', answer: 'Later', reason: 'The model API limits' },
  ]) {
    it(`is shown as the server has it after a ${status}, and can be answered again`, async () => {
      const page = await ready(await browser.open(served.url))
      await send(page, text)
      await page.waitForSelector(`.ended >> text=There is no answer: ${reason}`)
      await page.waitForSelector('.notice', { state: 'detached' })
      expect(browser.takeRefusals()).to.deep.equal([status])
      expect(await page.inputValue(TEXT)).to.equal('')
      await page.waitForSelector(`.chat-row.open >> text=${text}`)
      expect(await axeFindings(page)).to.deep.equal([])
      await page.reload()
      await page.waitForSelector(`.ended >> text=There is no answer: ${reason}`)
      await page.click(AGAIN)
      await page.waitForSelector(said(answer))
      await settled(page)
      expect(await asked(page)).to.deep.equal([text])
      await page.waitForSelector(AGAIN, { state: 'detached' })
      await page.reload()
      await page.waitForSelector(said(answer))
      expect(await asked(page)).to.deep.equal([text])
    })
  }

  it('is shown as the server has it when the person stopped it', async () => {
    const page = await ready(await browser.open(served.url))
    await send(page, 'wait')
    await page.click('[aria-label="Stop"]')
    await page.waitForSelector('.ended >> text=This answer was stopped.')
    expect(await asked(page)).to.deep.equal(['wait'])
    await page.reload()
    await page.waitForSelector(AGAIN)
    expect(await asked(page)).to.deep.equal(['wait'])
    browser.takeRefusals()
  })
})
