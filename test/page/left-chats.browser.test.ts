import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { echoed, ready, said, send, settled } from './writing.ts'

const LINES = Array.from({ length: 60 }, (_, at) => `line ${at}`).join(', ')
const SCRIPT = [
  { when: { text: 'long' }, then: { text: Array(800).fill('and on').join(' '), chunks: 6 } },
  { when: { text: 'count' }, then: { text: LINES, chunks: 12 } },
  { then: { text: 'You said: {{user}}' } },
]

describe('chats that the page has left', function () {
  this.timeout(60_000)
  const models = { first: { config: {} }, second: { config: {} } }
  const server = { cancelAfter: 300, models }
  const suite = new PageSuite({ script: SCRIPT, delay: 50, server })

  const agentIs = (page: Page, agent: string) =>
    until(page, `document.querySelector(".bar select").value === "${agent}"`)

  it('are listed as answering until the whole answer has come, and show it', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'count')
    await page.waitForSelector(said('line 1'))
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.waitForSelector('.chat-row .answering')
    await page.waitForSelector('.chat-row .answering', { state: 'detached' })
    await page.click('.chat-row .title')
    await page.waitForSelector(said('line 59'))
    await page.waitForSelector('.ended', { state: 'detached' })
  })

  it('show the answer that comes when they are opened again, which can be stopped', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'count')
    await page.waitForSelector(said('line 1'))
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.click('.chat-row .title')
    await page.click('[aria-label="Stop"]')
    await settled(page)
    await page.waitForSelector('.ended >> text=This answer was stopped.')
  })

  it('stop at once also where the answers of six tabs take all connections', async () => {
    const last = await ready(await suite.browser.open(suite.served.url))
    const pages = [last]
    while (pages.length < 6)
      pages.push(await ready(await suite.browser.openBeside(last, suite.served.url)))
    for (const page of pages.toReversed()) {
      await send(page, 'long')
      await page.waitForSelector(said('and on'))
    }
    await last.click('[aria-label="Stop"]')
    await last.waitForSelector('.ended >> text=This answer was stopped.')
    for (const page of pages) await page.close()
  })

  it('say that an answer was stopped because no page read it', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'long')
    await page.waitForSelector(said('and on'))
    const address = page.url()
    const other = await ready(await suite.browser.open(suite.served.url))
    await page.close()
    const id = new URL(address).searchParams.get('chat')
    await until(
      other,
      `fetch('/api/conversations/${id}').then((response) => response.json()).then(({ lastRun }) => lastRun.status === 'aborted')`,
    )
    await other.goto(address)
    await other.waitForSelector('.ended >> text=because no page read it any more')
  })

  it('can be deleted while they answer', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await send(page, 'count')
    await page.waitForSelector(said('line 1'))
    await page.hover('.chat-row.open')
    await page.click('.chat-row.open [aria-label^="Delete"]')
    await page.waitForSelector('.welcome')
    await page.waitForSelector('.chat-row .answering', { state: 'detached' })
    await page.waitForSelector('.notice', { state: 'detached' })
  })

  it('keep the model that answered last, and the one that was chosen since', async () => {
    const page = await ready(await suite.browser.open(suite.served.url))
    await echoed(page, 'hello')
    await page.selectOption('.bar select', 'second')
    await page.reload()
    await page.waitForSelector(said('You said: hello'))
    await agentIs(page, 'second')
    await echoed(page, 'again')
    await page.reload()
    await page.waitForSelector(said('You said: again'))
    await agentIs(page, 'second')
    await page.click('.new')
    await page.waitForSelector('.welcome')
    await page.selectOption('.bar select', 'first')
    await page.click('.chat-row .title')
    await page.waitForSelector(said('You said: again'))
    await agentIs(page, 'second')
  })
})
