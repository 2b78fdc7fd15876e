import { expect } from 'chai'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready, said, send, settled } from './writing.ts'

const TEMPERATURE = '#settings_temperature'
const PROMPT = '#agent_system_prompt'

describe('what was filled in and not saved', function () {
  this.timeout(60_000)
  const script = [{ then: { text: 'You said: {{user}}' } }]
  const suite = new PageSuite({ script, server: { settable: ['/temperature'] } })

  /** A page with two conversations, of which the second is shown. @returns also their ids */
  async function twoChats(): Promise<readonly [page: Page, first: string, second: string]> {
    const page = await ready(await suite.browser.open(suite.served.url))
    const ids: string[] = []
    for (const text of ['first', 'second']) {
      await page.click('.new')
      await send(page, text)
      await page.waitForSelector(said(`You said: ${text}`))
      await settled(page)
      ids.push(new URL(page.url()).searchParams.get('chat') ?? '')
    }
    return [page, ids[0] ?? '', ids[1] ?? '']
  }

  async function fillIn(page: Page): Promise<void> {
    await page.click('.bar [aria-label="Settings"]')
    await page.fill(TEMPERATURE, '0.8')
  }

  /** Has the page answer its questions so, and count them. */
  const answering = (page: Page, isLeft: boolean) =>
    page.evaluate(`asked = 0; confirm = () => { asked++; return ${isLeft} }`)
  const asked = (page: Page) => page.evaluate<number>('asked')

  async function temperatureOf(id: string): Promise<unknown> {
    const answer = await fetch(`${suite.served.url}api/settings?conversation=${id}`)
    return ((await answer.json()) as { readonly data: object & { temperature?: unknown } }).data
      .temperature
  }

  it('is asked for by the way back to another chat, and saved for its own', async () => {
    const [page, first, second] = await twoChats()
    await fillIn(page)
    await answering(page, false)
    await page.evaluate('history.back()')
    await page.waitForSelector(said('You said: first'))
    expect(await asked(page)).to.equal(1)
    await page.click('.rjsf button.main')
    await page.waitForSelector('[role="status"] >> text=Saved')
    expect(await temperatureOf(first)).to.equal(undefined)
    expect(await temperatureOf(second)).to.equal(0.8)
  })

  it('lets the way back to another chat close a drawer in which nothing was filled in', async () => {
    const [page] = await twoChats()
    await page.click('.bar [aria-label="Settings"]')
    await page.waitForSelector(TEMPERATURE)
    await answering(page, false)
    await page.evaluate('history.back()')
    await page.waitForSelector('dialog[open]', { state: 'detached' })
    expect(await asked(page)).to.equal(0)
  })

  it('is asked for before the settings of all chats are shown', async () => {
    const [page] = await twoChats()
    await fillIn(page)
    await answering(page, false)
    await page.click('[role="tab"]:text-is("All my chats")')
    expect([await asked(page), await page.inputValue(TEMPERATURE)]).to.deep.equal([1, '0.8'])
    await page.focus('[role="tab"]:text-is("This chat")')
    await page.keyboard.press('ArrowRight')
    expect([await asked(page), await page.inputValue(TEMPERATURE)]).to.deep.equal([2, '0.8'])
    await answering(page, true)
    await page.click('[role="tab"]:text-is("All my chats")')
    await until(page, `document.querySelector('${TEMPERATURE}')?.value === ''`)
  })

  it('is asked for before all agents are shown', async () => {
    const [page] = await twoChats()
    await page.click('.bar [aria-label="Agents"]')
    await page.click('.agents button:text-is("New agent")')
    await page.fill(PROMPT, 'Rhyme.')
    await answering(page, false)
    await page.click('.agents button:text-is("All agents")')
    expect([await asked(page), await page.inputValue(PROMPT)]).to.deep.equal([1, 'Rhyme.'])
    await answering(page, true)
    await page.click('.agents button:text-is("All agents")')
    await page.waitForSelector(PROMPT, { state: 'detached' })
  })

  it('of an agent that was deleted elsewhere stays, and the page says that it is gone', async () => {
    const path = `${suite.served.url}api/agents/poet`
    await fetch(path, { method: 'PUT', body: '{}' })
    const page = await ready(await suite.browser.open(suite.served.url))
    await page.click('.bar [aria-label="Agents"]')
    await page.click('.agent-list button:text-is("poet")')
    await page.fill(PROMPT, 'Rhyme.')
    await fetch(path, { method: 'DELETE' })
    await page.click('.agents button:text-is("Save")')
    await page.waitForSelector('[role=alert] >> text=Somebody else has deleted this agent')
    expect(await page.inputValue(PROMPT)).to.equal('Rhyme.')
    expect(suite.browser.takeRefusals()).to.deep.equal(['412'])
  })
})
