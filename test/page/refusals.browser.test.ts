import { expect } from 'chai'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { BROWSER_IS_MISSING } from '../browser/filling-in.ts'
import { Browser, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const SCRIPT = [{ then: { text: 'You said: {{user}}' } }]
const TOKEN = 'ada-0123456789abcdef'
const NEXT_TOKEN = 'ada-fedcba9876543210'

describe('the page of a server that refuses', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage | undefined

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    browser = await Browser.launch()
  })
  after(() => browser?.close())
  afterEach(async () => {
    await served?.close()
    served = undefined
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  it('tells that there were too many requests, and keeps the text', async () => {
    const tokens = [{ token: TOKEN, id: 'ada', limits: { tokens_per_day: 1 } }]
    const server = { authenticate: tokenAuthenticator(tokens) }
    served = await ServedPage.start({ script: SCRIPT, server })
    const page = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await send(page, 'hello')
    await page.waitForSelector(said('You said: hello'))
    await settled(page)
    await send(page, 'and more')
    await page.waitForSelector('.notice >> text=Too many requests. Try again in a moment.')
    expect(browser.takeRefusals()).to.deep.equal(['429'])
    expect(await page.inputValue(TEXT)).to.equal('and more')
    expect(await page.textContent('.messages')).to.not.include('and more')
    await page.click('[aria-label="Edit"]')
    await page.fill('.edited textarea', 'changed')
    await page.click('.edited button.main')
    await until(page, 'document.querySelector(".edited textarea")?.value === "changed"')
    await page.waitForSelector('.notice >> text=Too many requests. Try again in a moment.')
    expect(browser.takeRefusals()).to.deep.equal(['429'])
  })

  it('asks for a token that is known, and the chat goes on where it was', async () => {
    const token = { now: TOKEN }
    const authenticate = (request: Request) =>
      tokenAuthenticator([{ token: token.now, id: 'ada' }])(request)
    served = await ServedPage.start({ script: SCRIPT, server: { authenticate } })
    const page = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await send(page, 'hello')
    await page.waitForSelector(said('You said: hello'))
    await settled(page)
    token.now = NEXT_TOKEN
    await page.setInputFiles('input[type=file]', {
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('a'),
    })
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', NEXT_TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    token.now = TOKEN
    await send(page, 'my thought')
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    expect(await page.inputValue(TEXT)).to.equal('my thought')
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: my thought'))
  })

  it('shows the conversation of its address once somebody has signed in', async () => {
    const tokens = [{ token: TOKEN, id: 'ada' }]
    served = await ServedPage.start({
      script: SCRIPT,
      server: { authenticate: tokenAuthenticator(tokens) },
    })
    const first = await ready(await browser.open(`${served.url}#token=${TOKEN}`))
    await send(first, 'hello')
    await first.waitForSelector(said('You said: hello'))
    const page = await browser.open(first.url())
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: hello'))
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['401']))
  })
})
