import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { INSTALLED_WITHIN, PackedServer } from '../server/clients/packed-server.ts'
import { SERVED } from '../server/clients/scripts.ts'
import { axeFindings, Browser, type Page } from './open-page.ts'
import { echoed, said, send, settled, TEXT } from './writing.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What screen readers are told of an answer. */
const TOLD = '.thread [role=status]'

describe('the page in a browser', function () {
  this.timeout(60_000)
  let server: PackedServer
  let browser: Browser

  before(async function () {
    this.timeout(INSTALLED_WITHIN)
    if (BROWSER_IS_MISSING !== undefined) {
      process.stderr.write(`The tests of the page are skipped: ${BROWSER_IS_MISSING}\n`)
      return this.skip()
    }
    server = await PackedServer.start(SERVED)
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  /** Opens a new chat with a model. */
  async function chatWith(model: string): Promise<Page> {
    const page = await browser.open(server.url)
    await page.waitForSelector(`option[value="${model}"], option:text-is("${model}")`, {
      state: 'attached',
    })
    await page.selectOption('.agent', model)
    return page
  }

  it('shows an answer with its calls, and all of it again after a reload', async () => {
    const page = await chatWith('quick')
    await send(page, 'calculate')
    await page.waitForSelector(said('It is'))
    await settled(page)
    expect(await page.textContent('.tool .tool-name')).to.equal('calculate')
    expect(await page.textContent('.tool .tool-state')).to.equal('done')
    await page.waitForSelector('.chat-row.open >> text=calculate')
    expect(page.url()).to.match(/\?chat=[0-9a-f]{32}$/)
    const before = await page.textContent('.messages')
    await page.reload()
    await page.waitForSelector(said('It is'))
    expect(await page.textContent('.messages')).to.equal(before)
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('names a model by its title', async () => {
    const page = await chatWith('quick')
    expect(await page.textContent('option[value="quick"]')).to.equal('Quick')
    await send(page, 'hello')
    await page.waitForSelector('.author >> text=Quick')
  })

  it('stops an answer', async () => {
    const page = await chatWith('slow')
    await send(page, 'count')
    await page.waitForSelector(said('number 9'))
    await page.click('[aria-label="Stop"]')
    await settled(page)
    expect(await page.textContent('.messages')).to.not.include('number 60')
    await page.waitForSelector('.messages >> text=This answer was stopped.')
    expect(await page.textContent(TOLD)).to.equal('This answer was stopped.')
    await page.reload()
    await page.waitForSelector('.messages >> text=This answer was stopped.')
    expect(await page.textContent(TOLD)).to.equal('This answer was stopped.')
  })

  it('goes on with an answer after a reload', async () => {
    const page = await chatWith('slow')
    await send(page, 'count')
    await page.waitForSelector(said('number 9'))
    await page.reload()
    await page.waitForSelector(said('number 60'))
    await settled(page)
  })

  it('asks whether a call may run, and is answered by keyboard', async () => {
    const page = await chatWith('careful')
    await send(page, 'calculate')
    await page.waitForSelector('legend >> text=May calculate run?')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.reload()
    await page.focus('.asked button.main')
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('It is'))
    await page.click('.tool summary')
    await page.waitForSelector('.call-fact >> text=A person allowed it.')
  })

  it('tells who reads by ear that an answer waits', async () => {
    const page = await chatWith('careful')
    await send(page, 'calculate')
    await page.waitForSelector('.thread [role=status] >> text=The answer waits for you')
    await page.click('.asked button.main')
    await page.waitForSelector('.thread [role=status] >> text=The answer is complete')
  })

  it('takes two clicks on one answer for one', async () => {
    const page = await chatWith('careful')
    await send(page, 'calculate')
    await page.waitForSelector('.asked button.main')
    await page.evaluate(
      '(() => { const allow = document.querySelector(".asked button.main"); allow.click(); setTimeout(() => allow.click()) })()',
    )
    await page.waitForSelector(said('It is'))
    await settled(page)
    expect(await page.evaluate('document.querySelector(".notice")')).to.equal(null)
  })

  it('denies a call', async () => {
    const page = await chatWith('careful')
    await send(page, 'calculate')
    await page.click('.asked button:not(.main)')
    await page.waitForSelector('.tool.toolDenied')
    await settled(page)
    await page.click('.tool summary')
    await page.waitForSelector('.call-fact >> text=A person did not allow it.')
  })

  it('sends a changed message, and asks for another answer', async () => {
    const page = await chatWith('quick')
    await echoed(page, 'hello')
    await page.click('[aria-label="Edit"]')
    await page.fill('.edited textarea', 'good morning')
    await page.click('.edited button.main')
    await page.waitForSelector(said('You said: good morning'))
    await settled(page)
    await page.click('[aria-label="Answer again"]')
    await settled(page)
    await page.waitForSelector(said('You said: good morning'))
    expect(await page.evaluate('document.querySelectorAll(".message").length')).to.equal(2)
  })

  it('continues in a new chat from an answer', async () => {
    const page = await chatWith('quick')
    await echoed(page, 'hello')
    const before = page.url()
    await page.click('[aria-label="Continue in a new chat from here"]')
    await page.waitForURL(({ href }) => href !== before)
    await page.waitForSelector(said('You said: hello'))
    await page.waitForSelector('.chat-row.open >> text=hello (branch)')
  })

  it('finds, renames and deletes conversations', async () => {
    const page = await chatWith('quick')
    await send(page, 'about lighthouses')
    await page.waitForSelector('.chat-row.open >> text=about lighthouses')
    await settled(page)
    await page.hover('.chat-row.open')
    await page.click('.chat-row.open [aria-label^="Rename"]')
    await page.fill('.chat-row input', 'Towers')
    await page.keyboard.press('Enter')
    await page.fill('.search', 'tower')
    await page.waitForSelector('.chat-row >> text=Towers')
    await page.hover('.chat-row.open')
    await page.click('.chat-row.open [aria-label^="Delete"]')
    await page.waitForSelector('.list >> text=Nothing found')
    const gap = await page.evaluate<number>(
      'document.querySelector(".list .muted").offsetTop - document.querySelector(".search").offsetTop',
    )
    expect(gap, 'beneath the search').to.be.below(80)
    await page.waitForSelector('.welcome')
  })

  it('keeps what is typed over a reload, and what the server does not take', async () => {
    const page = await chatWith('quick')
    await echoed(page, 'hello')
    await page.fill(TEXT, 'not sent')
    await page.reload()
    await page.waitForSelector(said('You said: hello'))
    expect(await page.inputValue(TEXT)).to.equal('not sent')
  })

  it('shows an uploaded picture', async () => {
    const page = await chatWith('quick')
    const buffer = Buffer.from(PIXEL, 'base64')
    await page.setInputFiles('input[type=file]', { name: 'a.png', mimeType: 'image/png', buffer })
    await page.waitForSelector('.attached li:not(.uploading) >> text=a.png')
    await send(page, 'see')
    await page.waitForSelector('.own img.picture-file')
    await page.waitForSelector(said('You said: see'))
    await settled(page)
  })

  it('saves another file that was uploaded', async () => {
    const page = await chatWith('quick')
    const buffer = Buffer.from('some notes')
    await page.setInputFiles('input[type=file]', { name: 'a.txt', mimeType: 'text/plain', buffer })
    await page.waitForSelector('.attached li:not(.uploading) >> text=a.txt')
    await echoed(page, 'see')
    const saved = page.waitForEvent('download')
    await page.click('.own button.file')
    expect(readFileSync(await (await saved).path(), 'utf8')).to.equal('some notes')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('tells of a failed answer', async () => {
    const page = await chatWith('quick')
    await send(page, 'break')
    const words = 'The answer ended early: '
    for (const look of [() => settled(page), () => page.reload()]) {
      await look()
      await page.waitForSelector(`.messages > .ended >> text=${words}`)
      expect(await page.textContent(TOLD)).to.include(words)
      expect(await page.evaluate('document.querySelector(".notice")')).to.equal(null)
    }
    await send(page, 'hello')
    await page.waitForSelector(said('You said: hello'))
    await page.waitForSelector('.messages > .ended', { state: 'detached' })
    await page.waitForSelector('.message:not(.own) .ended')
  })

  it('shows what was sent for an answer, and its time line', async () => {
    const page = await chatWith('quick')
    await send(page, 'calculate')
    await page.waitForSelector(said('It is'))
    await settled(page)
    await page.click('[aria-label="What was sent, and when"]')
    await page.waitForSelector('.sent >> text=Request 1 of 2')
    await page.click('.sent >> text=Next request')
    await page.waitForSelector('.sent >> text=Request 2 of 2')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('[role=tab]:has-text("Time line")')
    await page.click('.time-call')
    await page.waitForSelector('.time-facts >> text=tool-execution-end')
    expect(await page.textContent('.time-facts p')).to.match(
      /^done · from \d+ ms to \d+ ms of the run$/,
    )
    expect(await axeFindings(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
  })

  it('explains which plugins and tools are on', async () => {
    const page = await chatWith('quick')
    await page.click('.why-button')
    await page.waitForSelector('dialog >> text=calculator')
    expect(await axeFindings(page)).to.deep.equal([])
  })

  it('speaks German where the browser does', async () => {
    const page = await browser.open(server.url, { locale: 'de-DE' })
    await page.waitForSelector('text=Neuer Chat')
    expect(await page.evaluate('document.documentElement.lang')).to.equal('de')
  })

  it('has its list at hand on a narrow screen', async () => {
    const page = await chatWith('quick')
    await page.setViewportSize({ width: 390, height: 780 })
    await page.click('.list-button')
    await page.waitForSelector('.list .new')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.click('.list .new')
    await page.waitForSelector('.list', { state: 'hidden' })
  })

  it('closes its list by a click beside it, and by Escape', async () => {
    const page = await chatWith('quick')
    await page.setViewportSize({ width: 390, height: 780 })
    await page.click('.list-button')
    await page.waitForSelector('.list .new')
    await page.evaluate('document.elementFromPoint(380, 400).click()')
    await page.waitForSelector('.list', { state: 'hidden' })
    await page.click('.list-button')
    await page.waitForSelector('.list .new')
    await page.keyboard.press('Escape')
    await page.waitForSelector('.list', { state: 'hidden' })
  })
})
