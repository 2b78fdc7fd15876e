/**
 * Shows forms in a browser, fills them in, and submits them. Reads {launch, script, jobs} from stdin, a
 * job being {name, format, view, screenshots?, steps}; prints for each job what it submitted, what its page
 * said, and what each field was like before.
 */
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<style>body { font: 14px sans-serif; margin: 1em } [hidden] { display: none }</style>
<div id="form"></div><script src="/page.js"></script></html>`

/** Where a form puts the parts of a field; `keys` lead to its value. */
const PLACES = {
  jsonforms: {
    tab: (page, category) =>
      page.locator('.category-subcategories').getByText(category, { exact: true }),
    field: (page, keys) => page.locator(`[id="${scopeOf(keys)}-input"]`),
    list: (page, keys) =>
      page.locator(`.${scopeOf(keys).replace('#', 'root').replaceAll('/', '_')}`),
    add: (list) => list.locator('header button'),
    cell: (list, row, name) =>
      list.locator('tbody tr').nth(row).locator('input, select').nth(name.column),
  },
  rjsf: {
    field: (page, keys) => page.locator(`[id="${idOf(keys)}"]`),
    list: (page, keys) => page.locator(`[id="${idOf(keys)}"]`),
    add: (list) => list.locator('.rjsf-array-item-add button'),
    cell: (list, row, name, keys) => list.locator(`[id="${idOf([...keys, row, ...name.keys])}"]`),
  },
}

/** Of a page as it is filled in, and of pictures. */
const WIDTHS = [1280, 400]

const escaped = (key) => key.replaceAll('~', '~0').replaceAll('/', '~1')
const scopeOf = (keys) => `#${keys.map((key) => `/properties/${escaped(key)}`).join('')}`
const idOf = (keys) => ['root', ...keys].join('_')

let input = ''
for await (const piece of process.stdin) input += piece
const { launch, script, jobs } = JSON.parse(input)

const server = createServer(({ url }, response) => {
  const isScript = url === '/page.js'
  response.setHeader('content-type', `${isScript ? 'text/javascript' : 'text/html'}; charset=utf-8`)
  response.end(isScript ? script : PAGE)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch(launch)
try {
  const results = []
  for (const job of jobs) results.push(await run(job))
  process.stdout.write(JSON.stringify(results))
} finally {
  await browser.close()
  server.close()
}

async function run(job) {
  const page = await browser.newPage({ viewport: { width: WIDTHS[0], height: 900 } })
  page.setDefaultTimeout(5000)
  const said = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(String(error)))
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    await page.evaluate(([format, view]) => window.show(format, view), [job.format, job.view])
    const texts = await look(page, job)
    const found = []
    for (const step of job.steps) found.push(await take(page, job.format, step))
    await page.locator('button[type=submit]').last().click()
    const submitted = await page.waitForFunction(() => window.submitted)
    const { data, errors } = await submitted.jsonValue()
    return { name: job.name, data, errors, said, texts, found }
  } catch (error) {
    return { name: job.name, thrown: String(error), said, texts: [], found: [] }
  } finally {
    await page.close()
  }
}

/** Every page of the form, as text, and as a picture where one is wanted. */
async function look(page, { screenshots, name }) {
  const texts = []
  await page.locator('#form form').waitFor()
  const tabs = await page.locator('.category-subcategories li').all()
  for (const [at, tab] of (tabs.length > 0 ? tabs : [undefined]).entries()) {
    await tab?.click()
    texts.push(await page.locator('#form').textContent())
    if (screenshots) await picture(page, `${screenshots}/${name}-${at}`)
  }
  return texts
}

/** A page in each width. */
async function picture(page, name) {
  for (const width of WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${name}-${width}.png`, fullPage: true })
  }
}

/** One step, and what its field was like before. */
async function take(page, format, { category, keys, ...step }) {
  const place = PLACES[format]
  await place.tab?.(page, category).click()
  if (step.add) return addTo(place, place.list(page, keys), { keys, ...step })
  const field = place.field(page, keys)
  const isVisible = await field.isVisible()
  const before = isVisible
    ? await field.evaluate(({ type, value }) => ({ type, value }))
    : undefined
  const typed = step.type === undefined ? undefined : String(step.type)
  // A form has a number that is a choice as a choice, or as a field to type it in.
  if (typed !== undefined && before?.type === 'select-one')
    await field.selectOption({ label: typed })
  else if (typed !== undefined) await field.fill(typed)
  if (step.choose !== undefined) await field.selectOption({ label: step.choose })
  if (step.check !== undefined) await field.setChecked(step.check)
  return before
}

/** Adds to a list: by its boxes, where it has some, else row by row. */
async function addTo(place, list, { add, keys, pick }) {
  if (pick && (await list.locator('input[type=checkbox]').count()) > 0) {
    for (const item of add) await list.getByLabel(item, { exact: true }).check()
    return
  }
  for (const [row, item] of add.entries()) {
    await place.add(list).last().click()
    const cells = typeof item === 'object' ? Object.entries(item) : [[undefined, item]]
    for (const [column, [key, value]] of cells.entries()) {
      const name = { column, keys: [key].filter(Boolean) }
      const cell = place.cell(list, row, name, keys)
      await (pick ? cell.selectOption({ label: value }) : cell.fill(value))
    }
  }
}
