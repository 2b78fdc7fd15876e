import { expect } from 'chai'
import { axeFindings, type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, said, send, settled } from './writing.ts'

const SCRIPT = [{ then: { text: 'You said: {{user}}' } }]
const BEFORE = '[aria-label="Show the version before"]'
const AFTER = '[aria-label="Show the next version"]'
const focused = (name: string) => `document.activeElement.getAttribute("aria-label") === "${name}"`

describe('versions of messages on the page', function () {
  this.timeout(60_000)
  const suite = new PageSuite({ script: SCRIPT })

  /** A page whose chat has some turns. */
  async function spoken(...texts: readonly string[]): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url))
    for (const text of texts) await answered(page, text)
    return page
  }

  async function answered(page: Page, text: string): Promise<void> {
    await send(page, text)
    await page.waitForSelector(said(`You said: ${text}`))
    await settled(page)
  }

  const countIs = (page: Page, count: number) =>
    until(page, `document.querySelectorAll(".message").length === ${count}`)

  it('lead back to what followed an answer before it was asked for again, by keys alone', async () => {
    const page = await spoken('one', 'two')
    await page.click('[aria-label="Answer again"]')
    await countIs(page, 2)
    await page.waitForSelector('.versions >> text=2/2')
    await answered(page, 'three')
    await page.focus(BEFORE)
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: two'))
    await page.waitForSelector('.versions >> text=1/2')
    await until(page, focused('Show the next version'))
    expect(await page.textContent('.versions [role=status]')).to.equal('Version 1 of 2')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.waitForSelector(said('You said: three'))
    await page.reload()
    await page.waitForSelector(said('You said: three'))
    await page.waitForSelector('.versions >> text=2/2')
  })

  it('lead back to a message before it was changed, and go on from there', async () => {
    const page = await spoken('one', 'two')
    await page.hover('.own')
    await page.click('.own [aria-label="Edit"]')
    await page.fill('.edited textarea', 'other')
    await page.click('.edited button.main')
    await page.waitForSelector(said('You said: other'))
    await page.click(`.own ${BEFORE}`)
    await page.waitForSelector(said('You said: two'))
    await answered(page, 'three')
    await countIs(page, 6)
    await page.click(`.own ${AFTER}`)
    await page.waitForSelector(said('You said: other'))
    await countIs(page, 2)
  })

  it('keep what another tab had said that a stale tab never showed', async () => {
    const page = await spoken('one')
    const stale = await ready(await suite.browser.openBeside(page, page.url()))
    await stale.waitForSelector(said('You said: one'))
    const id = new URL(page.url()).searchParams.get('chat')
    await page.evaluate(
      `fetch('/api/chat', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: '${id}', message: { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'two' }] } }) }).then((response) => response.text())`,
    )
    await stale.click('[aria-label="Answer again"]')
    await stale.click(BEFORE)
    await stale.waitForSelector(said('You said: two'))
    await page.waitForSelector(said('You said: two'))
  })

  it('lead back to what is left of a message that has no answer', async () => {
    const page = await spoken('one', 'two')
    const id = new URL(page.url()).searchParams.get('chat')
    await page.evaluate(
      `fetch('/api/conversations/${id}').then((response) => response.json()).then(({ messages }) => fetch('/api/conversations/${id}', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ head: messages[0].id }) }))`,
    )
    await page.reload()
    await page.click('button:has-text("Show the messages that were here before")')
    await page.waitForSelector(said('You said: two'))
  })
})
