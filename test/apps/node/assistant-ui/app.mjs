import { join } from 'node:path'
import { build } from 'esbuild'
import { countPieces, startBrowser } from './browser.mjs'
import * as asked from './cases.mjs'

const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'page.jsx')],
  bundle: true,
  write: false,
  format: 'esm',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
})
const browser = await startBrowser(outputFiles[0].text)

function openChat({ key = asked.KEY, agent = asked.MODEL, code } = {}) {
  const query = new URLSearchParams({ key, agent, ...(code ? { code } : {}) })
  return browser.open(`?${query}`)
}

async function send(page, question) {
  await page.locator('#question').fill(question)
  await page.locator('#send').click()
}

/** Types a question and waits until the last answer has a text. The page shows a text letter by letter. */
async function ask(page, question, wanted) {
  await send(page, question)
  await page.locator('.answer').last().filter({ hasText: wanted }).waitFor()
}

async function answers(question, wanted, options) {
  const page = await openChat(options)
  try {
    await ask(page, question, wanted)
  } finally {
    await page.close()
  }
}

const ECHO = `You said: ${asked.HELLO}`

const cases = {
  plain: () => answers(asked.HELLO, ECHO),
  streamed: async () => {
    const page = await openChat()
    const pieces = await countPieces(page)
    await ask(page, asked.HELLO, ECHO)
    if (pieces() <= 5) throw new Error(`the page received only ${pieces()} pieces`)
    await page.close()
  },
  'client tool': async () => {
    const code = asked.aWord()
    await answers(asked.USE_TOOL, new RegExp(`The tool get_weather said.*${code}`), { code })
  },
  'host tool': () => answers(asked.USE_HOST_TOOL, asked.PRODUCT),
  structured: 'a page of assistant-ui asks for no schema',
  turns: async () => {
    const word = asked.aWord()
    const page = await openChat()
    await ask(page, word, `You said: ${word}`)
    await ask(page, asked.RECALL, `Before, you said: ${word}`)
    await page.close()
  },
  image: async () => {
    const image = new asked.Image()
    const page = await openChat()
    const choosing = page.waitForEvent('filechooser')
    await page.locator('#attach').click()
    const file = { name: 'image.png', mimeType: 'image/png', buffer: image.bytes }
    await (await choosing).setFiles(file)
    await ask(page, asked.LOOK, 'I see image/png')
    await page
      .locator('.answer')
      .filter({ hasText: /bytes.*[0-9a-f]{12}/ })
      .waitFor()
    image.wasSeen(await page.locator('.answer').last().textContent())
    await page.close()
  },
  stop: async () => {
    const count = new asked.Count()
    const page = await openChat()
    await send(page, count.question)
    await count.hasBegun()
    await page.locator('#stop').click()
    await count.wasStopped()
    await page.close()
  },
  errors: async () => {
    await answers(asked.HELLO, 'does not publish', { agent: asked.UNKNOWN_MODEL })
    await answers(asked.HELLO, 'does not know the token', { key: asked.WRONG_KEY })
  },
}

try {
  await asked.run('UI message stream', cases)
} finally {
  await browser.close()
}
