import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page, until } from './open-page.ts'
import { dialog, ServedPage } from './served-page.ts'
import { ready, said, send } from './writing.ts'

const COUNT = 'document.querySelectorAll(".message").length'
const IN_VIEW = `(() => {
  const { top, bottom } = document.querySelector('.message.sought').getBoundingClientRect()
  const box = document.querySelector('.thread').getBoundingClientRect()
  return top >= box.top && bottom <= box.bottom
})()`

describe('the search of the page', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: [{ then: { text: 'You said: {{user}}' } }] })
    browser = await Browser.launch()
    await served.store('many', dialog(1000, 'An **answer**.'))
    await served.store('Türme am Meer', dialog(2, 'Der <b>Leuchtturm</b> ist HOCH.'))
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function search(text: string): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await page.fill('.search', text)
    return page
  }

  it('shows where it found the words, and leads there', async () => {
    const page = await search('QUESTION 204')
    await page.waitForSelector('.chat-row .found >> text=question 204')
    const marked = '[...document.querySelectorAll(".found mark")].map((one) => one.textContent)'
    expect(await page.evaluate(marked)).to.deep.equal(['question', '204'])
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.chat-row .title')
    await page.waitForSelector('.message.sought >> text=question 204')
    await until(page, IN_VIEW)
    expect(
      await page.evaluate('document.querySelector(".frame").getBoundingClientRect().top'),
    ).to.equal(0)
    expect(await page.evaluate('document.activeElement.className')).to.include('sought')
    expect(await page.evaluate<number>(COUNT)).to.be.below(100)
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('draws later messages when somebody reads on, and the last ones when somebody writes', async () => {
    const page = await search('question 204')
    await page.click('.chat-row .title:has(.found)')
    await page.waitForSelector('.message.sought')
    const before = await page.evaluate<number>(COUNT)
    await page.evaluate('document.querySelector(".later").click()')
    await until(page, `${COUNT} >= ${before + 40}`)
    await page.waitForSelector('.message >> text=question 260')
    await send(page, 'and now')
    await page.waitForSelector(said('You said: and now'))
    expect(await page.textContent('.messages')).to.include('question 998')
    await page.waitForSelector('.messages:not(:has(.later))')
  })

  it('takes no more than the server does', async () => {
    const page = await search('')
    await page.focus('.search')
    await page.keyboard.type('word '.repeat(60))
    await page.waitForSelector('.list >> text=Nothing found')
    expect(await page.inputValue('.search')).to.have.length(200)
    expect(await page.evaluate('document.querySelector(".notice")')).to.equal(null)
  })

  it('finds titles and answers in any case, and shows texts as they are', async () => {
    const page = await search('türme')
    await page.waitForSelector('.chat-row .name mark >> text=Türme')
    await page.fill('.search', 'leuchtturm hoch')
    await page.waitForSelector('.chat-row .found >> text=Der <b>Leuchtturm</b> ist HOCH.')
    await page.fill('.search', 'nobody said this')
    await page.waitForSelector('.list >> text=Nothing found')
  })

  it('leads to another message of the conversation that is open', async () => {
    const page = await search('question 204')
    await page.click('.chat-row .title:has(.found)')
    await page.waitForSelector('.message.sought >> text=question 204')
    await page.fill('.search', 'question 700')
    await page.waitForSelector('.chat-row .found >> text=question 700')
    await page.click('.chat-row .title')
    await page.waitForSelector('.message.sought >> text=question 700')
    await until(page, IN_VIEW)
  })
})
