import { expect } from 'chai'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready, said, send, settled, TEXT } from './writing.ts'

const SCRIPT = [
  { when: { text: 'remove', step: 1 }, then: { tool_calls: [{ name: 'remove', input: {} }] } },
  { then: { text: 'You said: {{user}}' } },
]

describe('the keyboard on the page', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    const remove = tool('remove', {
      getToolSchemas: () => [schema('remove')],
      executeTool: () => 'removed',
    })
    const config = { tool_policy: { remove: 'ask' } }
    served = await ServedPage.start({ script: SCRIPT, plugins: [remove], config })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  async function chat(text = 'hello'): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await send(page, text)
    await settled(page)
    await page.waitForSelector('.chat-row.open .name')
    return page
  }

  /** Presses a button by keyboard. */
  async function press(page: Page, selector: string): Promise<void> {
    await page.waitForSelector(selector, { state: 'attached' })
    await page.focus(selector)
    await page.keyboard.press('Enter')
  }

  const focused = (page: Page, selector: string) =>
    until(page, `document.activeElement.matches(${JSON.stringify(selector)})`)

  it('changes a message, and comes back to its button or its message', async () => {
    const page = await chat()
    await page.waitForSelector(said('You said: hello'))
    await press(page, '[aria-label="Edit"]')
    await focused(page, '.edited textarea')
    await page.keyboard.press('Escape')
    await focused(page, '[aria-label="Edit"]')
    await page.keyboard.press('Enter')
    await focused(page, '.edited textarea')
    await page.keyboard.type(' again')
    await press(page, '.edited button.main')
    await page.waitForSelector(said('You said: hello again'))
    await focused(page, '.message.own, .message.own [aria-label="Edit"]')
  })

  it('asks before it drops a change of a message, and sends one by a key', async () => {
    const page = await chat()
    await page.waitForSelector(said('You said: hello'))
    await page.evaluate('asked = 0; confirm = () => { asked++; return false }')
    await press(page, '[aria-label="Edit"]')
    await focused(page, '.edited textarea')
    await page.fill('.edited textarea', 'hello there')
    await page.keyboard.press('Escape')
    await page.click('.edited button:not(.main)')
    expect(await page.evaluate('asked')).to.equal(2)
    expect(await page.inputValue('.edited textarea')).to.equal('hello there')
    await page.focus('.edited textarea')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector(said('You said: hello there'))
    await settled(page)
    await press(page, '[aria-label="Edit"]')
    await page.fill('.edited textarea', 'something else')
    await page.evaluate('confirm = () => true')
    await page.keyboard.press('Escape')
    await focused(page, '[aria-label="Edit"]')
    await page.waitForSelector('.message.own >> text=hello there')
  })

  it('renames a conversation, or leaves its name, and comes back to the button', async () => {
    const page = await chat()
    await press(page, '.chat-row.open [aria-label^="Rename"]')
    await focused(page, '.chat-row input')
    await page.keyboard.type('No name')
    await page.keyboard.press('Escape')
    await focused(page, '[aria-label="Rename: hello"]')
    await page.keyboard.press('Enter')
    await focused(page, '.chat-row input')
    await page.keyboard.type('Towers')
    await page.keyboard.press('Enter')
    await focused(page, '[aria-label="Rename: Towers"]')
    await page.reload()
    await page.waitForSelector('.chat-row.open >> text=Towers')
  })

  it('deletes a conversation, and goes to the button for a new one', async () => {
    const page = await chat()
    await press(page, '.chat-row.open [aria-label^="Delete"]')
    await page.waitForSelector('.welcome')
    await focused(page, '.list .new')
  })

  it('allows a call, and stays at the answer', async () => {
    const page = await chat('remove it')
    await press(page, '.asked button.main')
    await page.waitForSelector(said('You said: remove it'))
    await focused(page, '.message:not(.own)')
  })

  it('asks for another answer, and goes to the question', async () => {
    const page = await chat()
    await press(page, '[aria-label="Answer again"]')
    await focused(page, '.message.own')
    await settled(page)
    await page.waitForSelector(said('You said: hello'))
    await focused(page, '.message.own')
  })

  it('continues in a new chat, and writes there', async () => {
    const page = await chat()
    await press(page, '[aria-label="Continue in a new chat from here"]')
    await page.waitForSelector('.chat-row.open >> text=hello (branch)')
    await focused(page, TEXT)
  })

  it('sends by the button, and writes on', async () => {
    const page = await ready(await browser.open(served.url))
    await page.fill(TEXT, 'hello')
    await press(page, '.composer [aria-label="Send"]')
    await page.waitForSelector(said('You said: hello'))
    await focused(page, TEXT)
  })

  it('saves settings, and stays at the button', async () => {
    const page = await chat()
    await press(page, '.bar [aria-label="Settings"]')
    await page.waitForSelector('#settings_seed')
    await page.fill('#settings_seed', '7')
    await press(page, '.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    await focused(page, '.rjsf button.main')
  })

  it('opens an agent, tries it and comes back, and stays in the drawer', async () => {
    const page = await ready(await browser.open(served.url))
    await press(page, '.bar [aria-label="Agents"]')
    await press(page, '.agents button:text-is("New agent")')
    await page.waitForSelector('#agent_system_prompt')
    await focused(page, '.agents')
    await page.fill('.agents > label input', 'clerk')
    await press(page, '.agents button:text-is("Try")')
    await page.waitForSelector('[role=status] >> text=The agent works.')
    await focused(page, '.agent-buttons button')
    await press(page, '.agents button:text-is("All agents")')
    await focused(page, '.agents')
  })
})
