import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { axeFindings, Browser } from './open-page.ts'
import { echoed, said, send } from './writing.ts'

describe('the page of a server with tokens', function () {
  this.timeout(60_000)
  const TOKEN = 'ada-0123456789abcdef'
  let server: PackedServer
  let browser: Browser

  before(async function () {
    this.timeout(INSTALLED_WITHIN)
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const { server: own, ...config } = SERVED
    const tokens = [{ token: TOKEN, id: 'ada' }]
    server = await PackedServer.start({ ...config, server: { ...own, tokens } })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  it('asks for one, says that it is wrong, and keeps a right one for the tab', async () => {
    const page = await browser.open(server.url)
    await page.waitForSelector('text=This server asks for a token.')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.fill('input[type=password]', 'wrong-0123456789abcdef')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=The server does not know this token.')
    await page.fill('input[type=password]', TOKEN)
    await page.keyboard.press('Enter')
    await send(page, 'hello')
    await page.waitForSelector(said('You said: hello'))
    await page.reload()
    await page.waitForSelector(said('You said: hello'))
    await page.click('.sign-out')
    await page.waitForSelector('input[type=password]')
  })

  it('shows the time line of an answer, and nothing more, to who may not see what was sent', async () => {
    const page = await browser.open(`${server.url}/#token=${TOKEN}`)
    await page.waitForSelector('option[value="quick"]', { state: 'attached' })
    await echoed(page, 'hello')
    await page.click('[aria-label="Time line"]')
    await page.waitForSelector('.time-run')
    const tabs = await page.evaluate('document.querySelectorAll("[role=tab]").length')
    expect(tabs).to.equal(1)
  })

  it('takes one from the fragment of the address, and removes it from there', async () => {
    const page = await browser.open(`${server.url}/#token=${TOKEN}`)
    await page.waitForSelector('.welcome')
    expect(page.url()).to.equal(`${server.url}/`)
    await page.waitForSelector('option[value="quick"]', { state: 'attached' })
  })
})
