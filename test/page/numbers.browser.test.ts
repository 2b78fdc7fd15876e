import type { Tool } from '@braidwork/plugin'
import { expect } from 'chai'
import { type Page, until } from './open-page.ts'
import { PageSuite } from './page-suite.ts'
import { ready } from './writing.ts'

const trip: Tool = {
  kind: 'tool',
  name: 'trip',
  configSchema: {
    type: 'object',
    properties: {
      budget: { type: 'number', minimum: 0.5 },
      people: { type: 'integer', default: 2 },
    },
  },
  getToolSchemas: () => [],
  executeTool: () => ({ output: '' }),
}

interface Stored {
  readonly data: {
    readonly settings: { readonly trip: object }
    readonly max_output_tokens?: number
  }
}

const TOKENS = '#settings_max_output_tokens'
const [BUDGET, PEOPLE] = ['#settings_settings_trip_budget', '#settings_settings_trip_people']

describe('a field for a number', function () {
  this.timeout(60_000)
  const suite = new PageSuite({
    script: [{ then: { text: 'Yes.' } }],
    plugins: [trip],
    server: { settable: ['/settings/trip', '/max_output_tokens'] },
  })

  async function opened(locale: string): Promise<Page> {
    const page = await ready(await suite.browser.open(suite.served.url, { locale }))
    await page.click(`.bar [aria-label="${locale === 'de-DE' ? 'Einstellungen' : 'Settings'}"]`)
    return page
  }

  /** Types a number and saves it. @returns the settings that the server has then */
  async function saved(page: Page, field: string, typed: string): Promise<string> {
    await page.fill(field, '')
    await page.focus(field)
    await page.keyboard.type(typed)
    expect(await page.inputValue(field)).to.equal(typed)
    await page.click('.rjsf button.main')
    await page.waitForSelector('.settings-buttons [role="status"]:not(:empty)')
    const { data } = (await (await fetch(`${suite.served.url}api/settings`)).json()) as Stored
    return JSON.stringify([data.settings.trip, data.max_output_tokens])
  }

  for (const [locale, [group, point]] of [
    ['de-DE', '.,'],
    ['en-US', ',.'],
  ] as const) {
    it(`takes groups of digits as the language writes them: ${locale}`, async () => {
      const page = await opened(locale)
      await page.click('.drawer [role="tab"]:nth-of-type(2)')
      expect(await saved(page, BUDGET, `1${group}234`)).to.include('"budget":1234,')
      expect(await saved(page, BUDGET, `1${group}000${group}000`)).to.include('"budget":1000000,')
      expect(await saved(page, BUDGET, `1${group}234${point}50`)).to.include('"budget":1234.5,')
      expect(await saved(page, PEOPLE, `2${group}000`)).to.include('"people":2000}')
      expect(await saved(page, TOKENS, `4${group}000`)).to.include(',4000]')
    })
  }

  it('refuses in words a number that the language does not write so', async () => {
    const page = await opened('de-DE')
    for (const typed of ['1.5', '1,234.5', 'viel']) {
      await page.fill(BUDGET, typed)
      await page.click('.rjsf button.main')
      await page.waitForSelector(`.form-group:has(> ${BUDGET}) >> text=Schreiben Sie die Zahl wie`)
      expect(await page.inputValue(BUDGET)).to.equal(typed)
    }
    await page.fill(BUDGET, '0,25')
    await page.click('.rjsf button.main')
    await page.waitForSelector('.error-detail >> text=Das muss mindestens 0,5 sein.')
    await page.fill(BUDGET, '')
    await page.fill(PEOPLE, '2,5')
    await page.click('.rjsf button.main')
    await page.waitForSelector('.error-detail >> text=Das muss eine ganze Zahl sein.')
    await until(page, `document.activeElement.id === '${PEOPLE.slice(1)}'`)
  })
})
