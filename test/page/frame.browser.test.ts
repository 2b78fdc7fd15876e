import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page, until } from './open-page.ts'
import { dialog, ServedPage } from './served-page.ts'
import { echoed, ready, said, send } from './writing.ts'

const call = { name: 'current_time', input: {} }
const SCRIPT = [
  { when: { text: 'twice' }, then: { tool_calls: [call, call] } },
  { when: { text: 'count' }, then: { text: 'word '.repeat(400) } },
  { then: { text: 'You said: {{user}}' } },
]
/** Answers what the page asks, and notes that it did. */
const answering = (answer: boolean) =>
  `window.asked = 0; window.confirm = () => { window.asked++; return ${answer} }`
const WIDTH = 'document.documentElement.scrollWidth'

describe('the frame of the page', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const models = { best: { title: 'The best model', config: {} } }
    const server = { models, settable: ['/temperature'] }
    served = await ServedPage.start({ script: SCRIPT, delay: 5, server })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  const opened = async (options = {}): Promise<Page> =>
    ready(await browser.open(served.url, options))

  it('asks before it closes a drawer with what was filled in, and not without', async () => {
    const page = await opened()
    await page.evaluate(answering(false))
    await page.click('.bar [aria-label="Settings"]')
    await page.fill('#settings_temperature', '0.5')
    for (const times of [1, 2, 3]) {
      await page.keyboard.press('Escape')
      await until(page, `window.asked === ${times}`)
    }
    expect(await page.inputValue('#settings_temperature')).to.equal('0.5')
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.drawer', { state: 'detached' })
    expect(await page.evaluate('window.asked')).to.equal(3)

    await page.click('.bar [aria-label="Agents"]')
    await page.click('.drawer button:text-is("New agent")')
    await page.fill('#agent_description', 'helps')
    await page.keyboard.press('Escape')
    await until(page, 'window.asked === 4')
    expect(await page.inputValue('#agent_description')).to.equal('helps')
    await page.evaluate(answering(true))
    await page.click('.drawer [aria-label="Close"]')
    await page.waitForSelector('.drawer', { state: 'detached' })
  })

  for (const locale of ['en-US', 'de-DE']) {
    it(`fits a window of 320 pixels: ${locale}`, async () => {
      const page = await opened({ locale, viewport: { width: 320, height: 600 } })
      await page.waitForSelector('.bar .why-button')
      expect(await page.evaluate(WIDTH)).to.equal(320)
    })
  }

  it('prints the whole conversation, dark on white', async () => {
    const address = await served.store('long', dialog(90, 'An answer. '.repeat(40)))
    const page = await ready(await browser.open(address, { colorScheme: 'dark' }))
    await page.waitForSelector('.message')
    await page.emulateMedia({ media: 'print' })
    const height = 'document.querySelector(".messages").scrollHeight'
    expect(await page.evaluate(`document.documentElement.scrollHeight >= ${height}`)).to.equal(true)
    const color = 'getComputedStyle(document.documentElement).backgroundColor'
    expect(await page.evaluate(color)).to.equal('rgb(255, 255, 255)')
    const count = 'document.querySelectorAll(".message").length'
    expect(await page.evaluate<number>(count)).to.be.below(90)
    await page.evaluate(`addEventListener('beforeprint', () => (window.printed = ${count}))`)
    await page.pdf()
    expect(await page.evaluate('window.printed')).to.equal(90)
    await until(page, `${count} < 90`)
  })

  it('tells no fault where the person deletes a conversation during its answer', async () => {
    const page = await opened()
    await send(page, 'count')
    await page.waitForSelector(said('word word'))
    await page.click('.chat-row.open [aria-label^="Delete"]')
    await page.waitForSelector('.welcome')
    await page.waitForSelector('.chat-row:has-text("count")', { state: 'detached' })
    await send(page, 'hello')
    await page.waitForSelector(said('You said: hello'))
    expect(await page.evaluate('document.querySelectorAll(".notice").length')).to.equal(0)
  })

  it('is fine for who reads by ear where an answer calls a tool twice', async () => {
    const page = await opened()
    await echoed(page, 'twice')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('names a model by its title where it explains its plugins', async () => {
    const page = await opened()
    await page.click('.why-button')
    await page.waitForSelector('.drawer-head >> text=The best model')
  })

  it('says in the language of the person what does not fit', async () => {
    const page = await opened({ locale: 'de-DE' })
    await page.click('.bar [aria-label="Einstellungen"]')
    await page.fill('#settings_temperature', '-1')
    await page.click('.rjsf button.main')
    await page.waitForSelector('.error-detail >> text=Das muss mindestens 0 sein.')
  })
})
