import { expect } from 'chai'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { echoed, ready, said, settled, TEXT } from './writing.ts'

const EDITED = '.edited textarea'
const REWRITTEN = 'a careful rewrite'
const isKept = `document.querySelector('${EDITED}')?.value === '${REWRITTEN}'`
const isClosed = `document.querySelector('${EDITED}') === null`

describe('a message that is changed', function () {
  this.timeout(60_000)
  const suite = new PageSuite({ script: [{ then: { text: 'You said: {{user}}' } }] })

  /** A page with a message whose box is open and has another text. */
  async function typed(): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    await echoed(page, 'hello')
    await page.click('.own [aria-label="Edit"]')
    await page.fill(EDITED, REWRITTEN)
    return page
  }

  it('keeps its text while another chat is shown, and over a reload', async () => {
    const page = await typed()
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.click('.chat-row .title')
    await until(page, isKept)
    await page.reload()
    await until(page, isKept)
    // What a person writes next goes where they write.
    await until(page, `document.activeElement === document.querySelector('${TEXT}')`)
  })

  it('has no other text left when it is sent, or when the person gives it up', async () => {
    const page = await typed()
    await page.click('.edited button.main')
    await page.waitForSelector(said(`You said: ${REWRITTEN}`))
    await settled(page)
    await page.reload()
    await page.waitForSelector(said(`You said: ${REWRITTEN}`))
    expect(await page.evaluate(isClosed)).to.equal(true)
    await page.click('.own [aria-label="Edit"]')
    await page.fill(EDITED, 'given up')
    await page.click('.edited button:text-is("Cancel")')
    await page.reload()
    await page.waitForSelector(said(`You said: ${REWRITTEN}`))
    expect(await page.evaluate(isClosed)).to.equal(true)
  })

  it('leaves nothing in the browser when its conversation is deleted', async () => {
    const page = await typed()
    const kept = `Object.keys(localStorage).filter((name) => /\\.(draft|edit)\\./.test(name)).length`
    expect(await page.evaluate(kept)).to.equal(1)
    await page.fill(TEXT, 'a thought')
    expect(await page.evaluate(kept)).to.equal(2)
    await page.click('.chat-row.open [aria-label^="Delete"]')
    await until(page, `${kept} === 0`)
  })

  it('shows its files, which it keeps', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes.') }
    await page.setInputFiles('input[type="file"]', file)
    await page.waitForSelector('.attached li:not(.uploading) >> text=notes.txt')
    await echoed(page, 'hello')
    await page.click('.own [aria-label="Edit"]')
    await page.waitForSelector('.edited .file >> text=notes.txt')
  })
})
