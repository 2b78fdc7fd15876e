import { expect } from 'chai'
import calculator from '../../tools/calculator/index.ts'
import { BROWSER_IS_MISSING } from '../browser/program.ts'
import { Browser, type Page, until } from './open-page.ts'
import { ServedPage } from './served-page.ts'
import { ready } from './writing.ts'

const NAME = '.agents > label input'
const SAVE = '.agents button:text-is("Save")'

describe('the agents on the page', function () {
  this.timeout(60_000)
  let browser: Browser
  let served: ServedPage

  before(async function () {
    if (BROWSER_IS_MISSING !== undefined) return this.skip()
    served = await ServedPage.start({ script: [{ then: { text: 'Yes.' } }], plugins: [calculator] })
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(browser?.faults.splice(0) ?? []).to.deep.equal([])
  })

  const path = (id: string) => `${served.url}api/agents/${id}`
  const store = (id: string, spec: object) =>
    fetch(path(id), { method: 'PUT', body: JSON.stringify(spec) })
  const specOf = async (id: string) =>
    ((await (await fetch(path(id))).json()) as { readonly spec: object }).spec

  async function openAgents(): Promise<Page> {
    const page = await ready(await browser.open(served.url))
    await page.click('.bar [aria-label="Agents"]')
    return page
  }

  async function openAgent(id: string): Promise<Page> {
    const page = await openAgents()
    await page.click(`.agent-list button:text-is("${id}")`)
    await page.waitForSelector('#agent_system_prompt')
    return page
  }

  it('are not overwritten by a tab that has not seen the change of another', async () => {
    await store('poet', {})
    const [first, second] = [await openAgent('poet'), await openAgent('poet')]
    await first.fill('#agent_system_prompt', 'Rhyme.')
    await first.click(SAVE)
    await first.waitForSelector('.agent-list')
    await second.fill('#agent_description', 'Writes poems.')
    await second.click(SAVE)
    await second.waitForSelector('[role=alert] >> text=Somebody else has changed this agent')
    expect(browser.takeRefusals()).to.deep.equal(['412'])
    expect(await second.inputValue('#agent_description')).to.equal('Writes poems.')
    expect(await specOf('poet')).to.deep.equal({ id: 'poet', system_prompt: 'Rhyme.' })
  })

  it('are not replaced by a new one of the same name', async () => {
    await store('painter', { system_prompt: 'Paint.' })
    const page = await openAgents()
    await page.click('.agents button:text-is("New agent")')
    await page.fill(NAME, 'painter')
    await page.click(SAVE)
    await page.waitForSelector('[role=alert] >> text=There is an agent with this name already.')
    expect(browser.takeRefusals()).to.deep.equal(['412'])
    expect(await specOf('painter')).to.include({ system_prompt: 'Paint.' })
  })

  it('ask for their name, and go to its field', async () => {
    const page = await openAgents()
    await page.click('.agents button:text-is("New agent")')
    await page.waitForSelector('#agent_system_prompt')
    for (const button of ['Save', 'Try']) {
      await page.click(`.agents button:text-is("${button}")`)
      await page.waitForSelector('[role=alert] >> text=Give the agent a name.')
      await until(page, `document.activeElement.matches('${NAME}')`)
    }
  })

  it('say which names there may be', async () => {
    const page = await openAgents()
    await page.click('.agents button:text-is("New agent")')
    await page.fill(NAME, 'bad name')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('[role=alert] >> text=A name begins with a letter')
    await page.fill(NAME, 'good')
    await page.fill('#agent_config', '{"temperature": 1,\n}')
    await page.click('.agents button:text-is("Try")')
    await page.waitForSelector('.error-detail >> text=The JSON breaks in line 2, at character 1.')
    expect(browser.takeRefusals()).to.deep.equal(['422', '422'])
  })

  it('lead to the first field that is not filled in rightly, in view and in the words of the page', async () => {
    const page = await ready(await browser.open(served.url, { locale: 'de-DE' }))
    await page.click('.bar [aria-label="Agenten"]')
    await page.click('.agents button:text-is("Neuer Agent")')
    await page.waitForSelector('#agent_system_prompt')
    const isInView = (field: string) =>
      until(
        page,
        `(() => {
          const [field, panel] = [document.querySelector('${field}'), document.querySelector('.agents')]
          const [own, around] = [field, panel].map((one) => one.getBoundingClientRect())
          return document.activeElement === field && own.top >= around.top && own.bottom <= around.bottom
        })()`,
      )
    await page.click('.agents button:text-is("Speichern")')
    await isInView(NAME)
    await page.waitForSelector(`${NAME}[aria-invalid=true]`)
    await page.fill(NAME, 'poet')
    const mode = '#agent_context_policy_compaction_mode option >> text=Die letzten Nachrichten'
    await page.waitForSelector(mode, { state: 'attached' })
    await page.fill('#agent_max_rounds', '0')
    await page.fill('#agent_config', '{broken')
    await page.click('.agents button:text-is("Speichern")')
    await isInView('#agent_max_rounds')
    await page.waitForSelector('.error-detail >> text=Das muss mindestens 1 sein.')
    await page.fill('#agent_max_rounds', '3')
    await page.click('.agents button:text-is("Probieren")')
    await isInView('#agent_config')
    await page.waitForSelector('.error-detail >> text=Das muss ein JSON-Objekt sein.')
    await page.fill('#agent_config', '')
    await page.fill(NAME, 'bad name')
    await page.click('.agents button:text-is("Probieren")')
    await isInView(NAME)
    expect(browser.takeRefusals()).to.deep.equal(['422', '422', '422'])
  })

  it('say of their JSON what is wrong, and where', async () => {
    const page = await ready(await browser.open(served.url, { locale: 'de-DE' }))
    await page.click('.bar [aria-label="Agenten"]')
    await page.click('.agents button:text-is("Neuer Agent")')
    await page.fill(NAME, 'poet')
    await page.click('.agents button:text-is("JSON")')
    await page.fill('.agent-spec', '{"context_policy": {"max_output_tokens": 0}}')
    await page.click('.agents button:text-is("Speichern")')
    const fault = '/context_policy/max_output_tokens: Das muss mindestens 1 sein.'
    await page.waitForSelector(`.agents li:has-text("${fault}")`)
    expect(browser.takeRefusals()).to.deep.equal(['422'])
  })

  it('show their warnings when they are stored', async () => {
    const page = await openAgents()
    await page.click('.agents button:text-is("New agent")')
    await page.fill(NAME, 'clerk')
    await page.fill('#agent_allowed_tools', 'calculat')
    await page.click(SAVE)
    await page.waitForSelector('[role=status] >> text=The agent “clerk” is stored.')
    await page.waitForSelector('.agents li >> text=Did you mean "calculate"?')
    await page.click('.agent-list button:text-is("clerk")')
    await page.waitForSelector('text=is stored.', { state: 'detached' })
  })
})
