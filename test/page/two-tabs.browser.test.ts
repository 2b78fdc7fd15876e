import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { echoed, ready, said, send, settled, TEXT } from './writing.ts'

const LINES = Array.from({ length: 80 }, (_, at) => `line ${at}`).join(', ')
const SCRIPT = [
  { when: { text: 'count' }, then: { text: LINES, chunks: 6 } },
  { then: { text: 'You said: {{user}}' } },
]
const SETTABLE = ['/temperature', '/seed']

describe('two tabs of one person', function () {
  this.timeout(60_000)
  let served: ServedPage
  let browser: Browser

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: SCRIPT, delay: 20, server: { settable: SETTABLE } })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  /** Both have the same conversation, which has one answer. */
  async function twoTabs(): Promise<readonly [Page, Page]> {
    const first = await ready(await browser.open(served.url))
    await echoed(first, 'hello')
    const second = await browser.openBeside(first, first.url())
    await second.waitForSelector(said('You said: hello'))
    return [first, await ready(second)]
  }

  it('of two browsers tell the second who sends that an answer comes, show it, and keep the text', async () => {
    const [first] = await twoTabs()
    const second = await ready(await browser.open(first.url()))
    await second.waitForSelector(said('You said: hello'))
    await send(first, 'count')
    await first.waitForSelector(said('line 3'))
    await send(second, 'my thought')
    await second.waitForSelector('.notice >> text=An answer is still coming in this conversation.')
    expect(browser.takeRefusals()).to.deep.equal(['409'])
    expect(await second.inputValue(TEXT)).to.equal('my thought')
    await second.waitForSelector(said('line 79'))
    await settled(second)
    await second.waitForSelector('.notice', { state: 'detached' })
    await second.focus(TEXT)
    await second.keyboard.press('Enter')
    await second.waitForSelector(said('You said: my thought'))
    expect(await second.inputValue(TEXT)).to.equal('')
  })

  it('show what the other one has sent when they are shown again', async () => {
    const [first, second] = await twoTabs()
    await second.fill(TEXT, 'half a thought')
    await echoed(first, 'news')
    await second.evaluate('void document.dispatchEvent(new Event("visibilitychange"))')
    await second.waitForSelector(said('You said: news'))
    expect(await second.inputValue(TEXT)).to.equal('half a thought')
    expect(await second.evaluate('document.querySelectorAll(".message").length')).to.equal(4)
  })

  it('show side by side what the other one sends, and what else it has sent before', async () => {
    const [first, second] = await twoTabs()
    await send(first, 'news')
    await second.waitForSelector(said('You said: news'))
    await settled(second)
    await send(second, 'more news')
    await first.waitForSelector(said('You said: more news'))
    expect(await first.evaluate('document.querySelectorAll(".message").length')).to.equal(6)
  })

  it('show after an own message what somebody else has sent before', async () => {
    const [, second] = await twoTabs()
    const id = new URL(second.url()).searchParams.get('chat')
    const message = { id: 'elsewhere', role: 'user', parts: [{ type: 'text', text: 'news' }] }
    const init = { method: 'POST', body: JSON.stringify({ id, message }) }
    await second.evaluate(
      `fetch('/api/chat', ${JSON.stringify(init)}).then((response) => response.text())`,
    )
    await send(second, 'mine')
    await second.waitForSelector(said('You said: news'))
    await second.waitForSelector(said('You said: mine'))
    expect(await second.evaluate('document.querySelectorAll(".message").length')).to.equal(6)
  })

  it('go on with an answer that the other one asked for when they are shown again', async () => {
    const [first, second] = await twoTabs()
    await send(first, 'count')
    await first.waitForSelector(said('line 3'))
    await second.evaluate('void dispatchEvent(new Event("focus"))')
    await second.waitForSelector('.composer [aria-label="Stop"]')
    await second.waitForSelector(said('line 79'))
    await settled(second)
  })

  it('tell that the other one has deleted the conversation, and keep the text', async () => {
    const [first, second] = await twoTabs()
    await first.hover('.chat-row.open')
    await first.click('.chat-row.open [aria-label^="Delete"]')
    await first.waitForSelector('.welcome')
    await send(second, 'my thought')
    const notice = '.notice >> text=This conversation does not exist any more'
    await second.waitForSelector(notice)
    expect(await second.inputValue(TEXT)).to.equal('my thought')
    await second.waitForSelector(said('You said: hello'))
    expect(browser.takeRefusals()).to.deep.equal(['404'])
    expect(await second.textContent('.list')).to.not.include('my thought')
  })

  it('tell that the other one has deleted the conversation when they are shown again', async () => {
    const [first, second] = await twoTabs()
    await first.hover('.chat-row.open')
    await first.click('.chat-row.open [aria-label^="Delete"]')
    await first.waitForSelector('.welcome')
    await second.evaluate('void document.dispatchEvent(new Event("visibilitychange"))')
    await second.waitForSelector('.notice >> text=This conversation does not exist any more')
    expect(browser.takeRefusals()).to.deep.equal(['404'])
  })

  it('save their own changes of the settings, and leave those of the other', async () => {
    const [first, second] = await twoTabs()
    for (const page of [first, second]) {
      await page.click('.bar [aria-label="Settings"]')
      await page.waitForSelector('#settings_seed')
    }
    await first.fill('#settings_seed', '7')
    await second.fill('#settings_temperature', '0.5')
    for (const page of [first, second]) {
      await page.click('.rjsf button.main')
      await page.waitForSelector('[role="status"] >> text=Saved')
    }
    await until(second, 'document.querySelector("#settings_seed").value === "7"')
    await first.reload()
    await first.click('.bar [aria-label="Settings"]')
    await first.waitForSelector('#settings_seed')
    expect(await first.inputValue('#settings_seed')).to.equal('7')
    expect(await first.inputValue('#settings_temperature')).to.equal('0.5')
  })
})
