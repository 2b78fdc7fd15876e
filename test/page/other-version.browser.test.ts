import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const OTHERWISE = '.notice >> text=The server gave an answer that this page does not understand.'
const html = (status: number) =>
  new Response('<!doctype html><title>A proxy</title>', {
    status,
    headers: { 'content-type': 'text/html' },
  })

/** The chunks of an answer of a version to come. */
const STREAM = [
  { type: 'start', messageId: 'a', more: { than: 'today' } },
  { type: 'thought-picture', id: 1, pixels: [] },
  { type: 'data-hologram', data: { size: 3 } },
  { type: 'tool-teleported', toolCallId: 7 },
  { type: 'text-start', id: 't', voice: 'low' },
  { type: 'text-delta', id: 't', delta: 'Hello from ' },
  { type: 'text-delta', id: 't', delta: 17 },
  { type: 'text-sung', id: 't', notes: ['c'] },
  { type: 'text-delta', id: 't', delta: 'tomorrow.' },
  { type: 'text-end', id: 't' },
  { type: 'finish', mood: 'good' },
]
const LINES = [...STREAM.map((chunk) => JSON.stringify(chunk)), 'no json', '[DONE]']

/** Answers a path in place of the server. */
function instead(path: string, answer: () => Response) {
  return ({ url }: Request) => (new URL(url).pathname === path ? answer() : undefined)
}

describe('the page of a server of another version', function () {
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

  async function start(front: (request: Request) => Response | undefined): Promise<string> {
    served = await ServedPage.start({ script: [{ then: { text: 'You said: {{user}}' } }], front })
    return served.url
  }

  it('shows what it knows of an answer with unknown chunks', async () => {
    const headers = { 'content-type': 'text/event-stream' }
    const body = LINES.map((line) => `event: none\nretry: 1\ndata: ${line}\n\n`).join('')
    const url = await start(instead('/api/chat', () => new Response(body, { headers })))
    const page = await ready(await browser.open(url))
    await send(page, 'hello')
    await page.waitForSelector(said('Hello from tomorrow.'))
    await settled(page)
    // The server does not know the conversation that this answer is of.
    await until(page, 'document.querySelector(".notice") !== null')
    expect(new Set(browser.takeRefusals())).to.deep.equal(new Set(['404']))
  })

  it('shows what it knows of documents with unknown fields', async () => {
    const url = await start(({ url: asked }) => {
      const path = new URL(asked).pathname
      const conversation = { id: 'c', agent: 'x', createdAt: 1, updatedAt: 1, color: 'red' }
      const unknown = { type: 'hologram', size: 3 }
      const messages = [
        { id: 'm', role: 'assistant', mood: 1, parts: [unknown, { type: 'text', text: 'Hi.' }] },
        { id: 'n', role: 'oracle' },
      ]
      if (path === '/api/caller') return Response.json({ role: 'sovereign', crown: true })
      if (path === '/api/conversations')
        return Response.json({ conversations: [conversation], previous: 3 })
      if (path === '/api/conversations/c')
        return Response.json({ ...conversation, messages, lastRun: { status: 'dreaming' } })
      return undefined
    })
    const page = await ready(await browser.open(`${url}?chat=c`))
    await page.waitForSelector(said('Hi.'))
    await page.waitForSelector('.chat-row >> text=Untitled')
  })

  it('tells of routes that are not there', async () => {
    const url = await start(instead('/v1/models', () => html(404)))
    const page = await browser.open(url)
    await page.waitForSelector('.notice >> text=That did not work: 404 Not Found')
    expect(browser.takeRefusals()).to.deep.equal(['404'])
  })

  for (const path of ['/v1/models', '/api/caller', '/api/conversations']) {
    it(`tells of a page of HTML, and of other JSON, in place of ${path}`, async () => {
      const answers = [html(200), Response.json(path === '/api/caller' ? 'no object' : {})]
      const url = await start(instead(path, () => answers.shift() ?? html(200)))
      const page = await browser.open(url)
      await page.waitForSelector(OTHERWISE)
      await page.reload()
      if (path !== '/api/caller') await page.waitForSelector(OTHERWISE)
      await page.waitForSelector('.welcome')
    })
  }

  it('tells of a page of HTML in place of an answer, and keeps the text', async () => {
    const url = await start(instead('/api/chat', () => html(200)))
    const page = await ready(await browser.open(url))
    const looked = page.waitForEvent('console')
    await send(page, 'hello')
    await page.waitForSelector(OTHERWISE)
    await looked
    expect(await page.inputValue(TEXT)).to.equal('hello')
    expect(browser.takeRefusals()).to.deep.equal(['404'])
  })

  it('tells of it in the drawers too', async () => {
    const url = await start(instead('/api/explain', () => html(200)))
    const page = await ready(await browser.open(url))
    await page.click('.why-button')
    await page.waitForSelector('.drawer-error >> text=The server gave an answer')
  })
})
