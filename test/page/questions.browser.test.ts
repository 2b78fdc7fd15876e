import { expect } from 'chai'
import askUser from '../../tools/ask-user/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { axeFindings, Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send } from './writing.ts'

const asking = (name: string, schema: object) => ({
  when: { text: name },
  then: {
    tool_calls: [
      { name: 'ask_user', input: { question: `Q ${name}`, schema: JSON.stringify(schema) } },
    ],
  },
})

const OBJECT = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}

const SCRIPT = [
  { when: { tool: 'ask_user' }, then: { text: 'You said {{result.ask_user}}.' } },
  asking('integer', { type: 'integer', minimum: 1 }),
  asking('flag', { type: 'boolean' }),
  asking('choice', { type: 'string', enum: ['red', 'blue'] }),
  asking('list', { type: 'array', items: { type: 'string' } }),
  asking('object', OBJECT),
  asking('perhaps', { type: ['integer', 'null'] }),
  asking('words', { type: 'string', minLength: 2 }),
]

type Step = (page: Page) => Promise<unknown>

/** What is asked, how it is filled in, and the answer that the tool has. */
const ANSWERED: readonly (readonly [name: string, fill: Step, answer: unknown])[] = [
  ['integer', (page) => page.fill('.asked input[inputmode=numeric]', '5'), 5],
  ['flag', (page) => page.click('.asked label:has-text("No") input'), false],
  ['choice', (page) => page.selectOption('.asked select', 'blue'), 'blue'],
  [
    'list',
    async (page) => {
      await page.click('.asked button:text-is("Add")')
      await page.fill('.asked input', 'one')
    },
    ['one'],
  ],
  ['object', (page) => page.fill('.asked input[type=text]', 'Rome'), { city: 'Rome' }],
  ['perhaps', async () => undefined, null],
  ['words', (page) => page.fill('.asked input', 'hm'), 'hm'],
]

describe('a question with a schema', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const config = { enabled_plugins: ['ask-user'] }
    served = await ServedPage.start({ script: SCRIPT, plugins: [askUser], config })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function ask(name: string): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await send(page, name)
    await page.waitForSelector('.asked button.main')
    return page
  }

  for (const [name, fill, answer] of ANSWERED) {
    it(`is answered by its form: ${name}`, async () => {
      const page = await ask(name)
      await fill(page)
      await page.click('.asked button.main')
      await page.waitForSelector(said('You said'))
      const text = await page.textContent('.message:last-of-type')
      expect(text).to.include(JSON.stringify({ answer }))
    })
  }

  it('says what does not fit, and stays', async () => {
    const page = await ask('integer')
    await page.click('.asked button.main')
    await page.waitForSelector('.asked >> text=Fill this in.')
    await page.fill('.asked input', '0')
    await page.click('.asked button.main')
    await page.waitForSelector('.asked .error-detail')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.fill('.asked input', '7')
    await page.click('.asked button.main')
    await page.waitForSelector(said('You said'))
  })

  it('says that an answer in words is missing, and goes to its field', async () => {
    const page = await ask('words')
    await page.focus('.asked input')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.asked [role=alert] >> text=Fill this in.')
    await page.click('.asked button.main')
    await until(page, 'document.activeElement.matches(".asked input[aria-invalid=true]")')
    expect(await axeFindings(page)).to.deep.equal([])
    await page.fill('.asked input', 'hm')
    await page.waitForSelector('.asked [role=alert]', { state: 'detached' })
    await page.click('.asked button.main')
    await page.waitForSelector(said('You said'))
  })

  for (const name of ['integer', 'words']) {
    it(`can be declined: ${name}`, async () => {
      const page = await ask(name)
      await page.click('.asked >> text=Decline to answer')
      await page.waitForSelector(said('You said'))
      expect(await page.textContent('.message:last-of-type')).to.include('declined to answer')
      expect(await page.textContent('.tool-state')).to.equal('not answered')
    })
  }
})
