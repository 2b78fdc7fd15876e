/**
 * Uses chat pages in a browser. Reads {launch, url, scripts, jobs} from stdin: the page is served under
 * the server's own address, with the script of its version. A job is {name, sdk, id, model, steps}; prints for
 * each what its page shows in the end. Steps: {type}, {press, anew: whether for
 * another answer}, {waitFor: text}, {reload}, {settle}, {picture}.
 */
import { chromium } from 'playwright-core'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<style>body { font: 14px sans-serif; margin: 1em auto; max-width: 40em } .user { text-align: right }
.part { color: gray } #error { color: firebrick }</style>
<div id="chat"></div><script type="module" src="/page.js"></script></html>`

let input = ''
for await (const piece of process.stdin) input += piece
const { launch, url, scripts, jobs } = JSON.parse(input)
const browser = await chromium.launch(launch)
try {
  const shown = []
  // A few at a time: what waits for a page is a limit of its own.
  for (let at = 0; at < jobs.length; at += 3) {
    shown.push(...(await Promise.all(jobs.slice(at, at + 3).map(use))))
  }
  process.stdout.write(JSON.stringify(shown))
} finally {
  await browser.close()
}

async function use({ name, sdk, id, model, steps }) {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } })
  page.setDefaultTimeout(15_000)
  const said = []
  page.on('pageerror', (error) => said.push(String(error)))
  const html = { contentType: 'text/html; charset=utf-8', body: PAGE }
  await page.route(`${url}/page?*`, (route) => route.fulfill(html))
  const script = { contentType: 'text/javascript; charset=utf-8', body: scripts[sdk] }
  await page.route(`${url}/page.js`, (route) => route.fulfill(script))
  try {
    await page.goto(`${url}/page?${new URLSearchParams({ sdk, id, model })}`)
    for (const step of steps) await take(page, step)
    await page.getByText('Send').waitFor()
    const shown = {
      messages: await page.locator('article').evaluateAll((all) =>
        all.map((article) => ({
          role: article.getAttribute('class'),
          parts: [...article.children].map(({ textContent }) => textContent),
        })),
      ),
      status: await page.locator('#status').textContent(),
      error: await page.locator('#error').textContent(),
    }
    return { name, said, ...shown }
  } catch (error) {
    return { name, said, thrown: String(error) }
  } finally {
    await page.close()
  }
}

async function take(page, { type, press, anew, waitFor, reload, settle, picture }) {
  const answer = page.locator('article.assistant')
  const before = anew ? await answer.getAttribute('id') : undefined
  if (type) await page.locator('input').fill(type)
  if (press) await page.getByRole('button', { name: press }).click()
  if (anew) await page.locator(`article.assistant:not([id='${before}'])`).waitFor()
  if (waitFor) await page.getByText(waitFor).first().waitFor()
  if (reload) await page.reload()
  if (settle) await page.locator('#status').getByText(settle, { exact: true }).waitFor()
  if (picture) await page.screenshot({ path: picture })
}
