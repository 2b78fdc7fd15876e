import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, until } from './open-page.ts'
import { dialog, ServedPage } from './served-page.ts'

const COUNT = 'document.querySelectorAll(".message").length'
/** How far the end is below what is in view, in pixels. */
const FROM_END =
  '(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector(".thread"))'
const TOP_OF = (text: string) =>
  `[...document.querySelectorAll('.message')].find((one) => one.textContent.includes('${text}')).getBoundingClientRect().top`

describe('a long conversation on the page', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: [{ then: { text: 'You said: {{user}}' } }] })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  it('opens at its end, and draws few messages', async () => {
    const page = await browser.open(await served.store('many', dialog(5000, 'An **answer**.')))
    await page.waitForSelector('.message >> text=question 4998')
    expect(await page.evaluate(COUNT)).to.equal(40)
    await page.fill('.composer textarea', 'and now')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.message:not(.own) >> text=You said: and now')
    expect(await page.evaluate(COUNT)).to.equal(42)
  })

  it('shows the end of a very long answer first, all of it as Markdown, and lays out what is in view', async () => {
    const text = `${'## A part\n\nA **paragraph** of some words.\n\n'.repeat(6000)}the *end*`
    const page = await browser.open(await served.store('long', dialog(2, text)))
    await page.waitForSelector('.markdown-section:last-child em >> text=end')
    await until(page, 'document.querySelectorAll(".markdown strong").length === 6000')
    await until(page, '!document.querySelector(".markdown").textContent.includes("##")')
    await until(page, `${FROM_END} < 5`)
    await page.fill('.composer textarea', 'and now')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.message:not(.own) >> text=You said: and now')
    await until(page, `${FROM_END} < 5`)
    await page.evaluate('document.querySelector(".thread").scrollTop = 0')
    await until(page, 'document.querySelector(".thread").scrollTop === 0')
  })

  it('goes to its end when somebody sends something, wherever they were', async () => {
    const page = await browser.open(await served.store('up', dialog(30, 'An answer.')))
    await page.waitForSelector('.message >> text=question 28')
    await page.evaluate('document.querySelector(".thread").scrollTop = 0')
    await until(page, 'document.querySelector(".thread").scrollTop === 0')
    await page.fill('.composer textarea', 'and now')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.message:not(.own) >> text=You said: and now')
    await until(page, `${FROM_END} < 5`)
  })

  it('scrolls alone, and not the page around it', async () => {
    const page = await browser.open(await served.store('alone', dialog(60, 'An answer.')))
    await page.waitForSelector('.message >> text=question 58')
    expect(
      await page.evaluate(
        'document.documentElement.scrollHeight - document.documentElement.clientHeight',
      ),
    ).to.equal(0)
  })

  it('draws earlier messages when somebody goes there, and what is in view stays there', async () => {
    const page = await browser.open(await served.store('some', dialog(100, 'An answer.')))
    await page.waitForSelector('.message >> text=question 98')
    await page.evaluate('document.querySelector(".thread").scrollTop = 900')
    const before = await page.evaluate<number>(TOP_OF('question 72'))
    await page.evaluate('document.querySelector(".earlier").click()')
    await until(page, `${COUNT} === 80`)
    expect(await page.evaluate<number>(TOP_OF('question 72'))).to.be.closeTo(before, 2)
    await page.evaluate('document.querySelector(".thread").scrollTop = 0')
    await until(page, `${COUNT} === 100`)
    await page.waitForSelector('.messages:not(:has(.earlier))')
    expect(await page.textContent('.message')).to.include('question 0')
  })
})
