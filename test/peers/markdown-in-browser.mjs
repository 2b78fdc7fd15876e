/**
 * Shows texts on a page that has `show(text, isStreaming)`. Reads {launch, url, jobs} from stdin. A job is
 * {name, steps}; prints for each what the page shows in the end, what it asked for, what ran, and what its policy
 * refused. Steps: {show: text, isStreaming}, {press: name of a button}, {waitFor: selector}, {mark} and {isMarked: selector}
 * for elements that must stay the same.
 */
import { chromium } from 'playwright-core'

let input = ''
for await (const piece of process.stdin) input += piece
const { launch, url, jobs } = JSON.parse(input)
const browser = await chromium.launch(launch)
try {
  const shown = []
  for (const job of jobs) shown.push(await use(job))
  process.stdout.write(JSON.stringify(shown))
} finally {
  await browser.close()
}

async function use({ name, steps }) {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ locale: 'en-US', permissions })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const said = []
  const asked = []
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('request', (request) => asked.push(request.url()))
  try {
    await page.goto(url)
    await page.waitForFunction('window.show')
    const marks = []
    const start = Date.now()
    for (const step of steps) await take(page, step, marks)
    // Two frames: what a text starts has started.
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    )
    const took = Date.now() - start
    const facts = await page.evaluate(() => ({
      hit: window.hit ?? null,
      refused: window.refused,
      title: document.title,
      address: location.href,
      html: document.querySelector('#page').innerHTML,
      clipboard: window.copied ?? null,
    }))
    return { name, said, asked, marks, took, ...facts }
  } catch (error) {
    return { name, said, asked, thrown: String(error) }
  } finally {
    await context.close()
  }
}

async function take(page, { show, isStreaming, press, waitFor, mark, isMarked }, marks) {
  if (show !== undefined) {
    await page.evaluate(
      ([text, streams]) => window.show(text, streams),
      [show, isStreaming === true],
    )
  }
  if (press !== undefined) {
    await page.getByRole('button', { name: press }).click()
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
    await page.evaluate(async () => {
      window.copied = await navigator.clipboard.readText()
    })
  }
  if (waitFor !== undefined) await page.waitForSelector(waitFor)
  if (mark !== undefined) {
    await page
      .locator(mark)
      .first()
      .evaluate((element) => {
        element.isMarked = true
      })
  }
  if (isMarked !== undefined) {
    marks.push(
      await page
        .locator(isMarked)
        .first()
        .evaluate((element) => element.isMarked === true),
    )
  }
}
