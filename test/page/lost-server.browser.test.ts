import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { BreakableProxy } from './breakable-proxy.ts'
import { Browser, until } from './open-page.ts'
import { said, send, settled, TEXT } from './writing.ts'

describe('the page of a server that goes away', function () {
  this.timeout(60_000)
  let server: PackedServer
  let proxy: BreakableProxy
  let browser: Browser

  before(async function () {
    this.timeout(INSTALLED_WITHIN)
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    server = await PackedServer.start(SERVED)
    proxy = await BreakableProxy.start(server.url)
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await proxy?.go()
    await server?.stop()
  })

  it('says so, and goes on with the answer by itself when it is back', async () => {
    const page = await browser.open(proxy.url)
    await page.waitForSelector('option:text-is("slow")', { state: 'attached' })
    await page.selectOption('.agent', 'slow')
    await send(page, 'count')
    await page.waitForSelector(said('number 9'))
    await proxy.go()
    await page.waitForSelector('.notice >> text=The page tries again by itself.')
    expect(await page.textContent('.thread [role=status]')).to.equal('')
    await proxy.come()
    await page.waitForSelector(said('number 60'))
    await settled(page)
    await page.waitForSelector('.notice', { state: 'detached' })
  })

  it('shows a conversation that was opened meanwhile, when the server is back', async () => {
    const page = await browser.open(proxy.url)
    await page.waitForSelector('option[value="quick"]', { state: 'attached' })
    await page.selectOption('.agent', 'quick')
    await send(page, 'about towers')
    await page.waitForSelector('.chat-row.open >> text=about towers')
    await settled(page)
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await proxy.go()
    await page.click('.chat-row .title')
    await page.waitForSelector('.notice >> text=The server cannot be reached.')
    await proxy.come()
    await page.waitForSelector(said('You said: about towers'))
    await page.waitForSelector('.notice', { state: 'detached' })
  })

  it('takes back what it said of a lost server by itself, whatever was tried', async () => {
    const page = await browser.open(proxy.url)
    await page.waitForSelector('option[value="quick"]', { state: 'attached' })
    await proxy.go()
    await page.fill('.search', 'towers')
    await page.waitForSelector('.notice >> text=The server cannot be reached.')
    await proxy.come()
    await page.waitForSelector('.notice', { state: 'detached' })
    await page.waitForSelector('.chat-row >> text=about towers')
  })

  it('still says that an answer was stopped after what could not be sent', async () => {
    const page = await browser.open(proxy.url)
    await page.waitForSelector('option:text-is("slow")', { state: 'attached' })
    await page.selectOption('.agent', 'slow')
    await send(page, 'count')
    await page.waitForSelector(said('number 9'))
    await page.click('[aria-label="Stop"]')
    await settled(page)
    await page.waitForSelector('.ended >> text=This answer was stopped.')
    await proxy.go()
    await send(page, 'a long thought')
    await page.waitForSelector('.notice >> text=What you wrote is kept.')
    await until(page, 'document.querySelector(".composer textarea").value === "a long thought"')
    await page.waitForSelector('.ended >> text=This answer was stopped.')
    const told = 'document.querySelector(".thread [role=status]").textContent'
    await until(page, `${told} === "This answer was stopped."`)
    await proxy.come()
    await page.waitForSelector('.notice', { state: 'detached' })
  })

  it('keeps what could not be sent', async () => {
    const page = await browser.open(proxy.url)
    await page.waitForSelector('option[value="quick"]', { state: 'attached' })
    await proxy.go()
    await send(page, 'a long thought')
    await page.waitForSelector('.notice >> text=What you wrote is kept.')
    expect(await page.inputValue(TEXT)).to.equal('a long thought')
    await proxy.come()
    await page.waitForSelector('.notice', { state: 'detached' })
    await page.focus(TEXT)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said:'))
  })
})
