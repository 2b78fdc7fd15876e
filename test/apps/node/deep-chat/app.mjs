import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from './browser.mjs'
import * as asked from './cases.mjs'

const BUNDLE = join(import.meta.dirname, 'node_modules/deep-chat/dist/deepChat.bundle.js')
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const browser = await startBrowser(readFileSync(BUNDLE, 'utf8'))

/** The services of deep-chat whose APIs the server has: what each is told of the server. */
const WAYS = {
  'openAI, Responses': {
    url: `${asked.ORIGIN}/v1/responses`,
    connection: (key, more) => ({ openAI: { key, chat: more } }),
    tool: { type: 'function', name: 'get_weather', parameters: PARAMETERS },
  },
  'openRouter, Chat Completions': {
    url: `${asked.ORIGIN}/v1/chat/completions`,
    connection: (key, more) => ({ openRouter: { key, ...more } }),
    tool: { type: 'function', function: { name: 'get_weather', parameters: PARAMETERS } },
  },
  'claude, Messages': {
    url: `${asked.ORIGIN}/v1/messages`,
    connection: (key, more) => ({ claude: { key, max_tokens: 1000, ...more } }),
    tool: { name: 'get_weather', description: 'Tells the weather.', input_schema: PARAMETERS },
  },
}

/** Opens a chat; with a code it has a tool of its own. */
async function openChat(way, { key = asked.KEY, model = asked.MODEL, stream = false, code } = {}) {
  const { url, connection, tool } = WAYS[way]
  const page = await browser.open()
  const more = { model, ...(code ? { tools: [tool] } : {}) }
  const options = { connect: { url, stream }, directConnection: connection(key, more), code }
  await page.evaluate(addChat, options)
  return page
}

/** Runs in the page. */
async function addChat({ connect, directConnection, code }) {
  await customElements.whenDefined('deep-chat')
  const chat = document.createElement('deep-chat')
  const [service] = Object.values(directConnection)
  if (code) {
    const holder = service.chat ?? service
    holder.function_handler = (made) =>
      made.map(({ arguments: input }) => {
        const { city } = JSON.parse(input)
        return { response: `21 degrees in ${city}, report ${code}` }
      })
  }
  const rendered = new Promise((resolve) => {
    chat.onComponentRender = resolve
  })
  // A property that is set later would begin the chat anew.
  Object.assign(chat, {
    connect,
    directConnection,
    images: true,
    errorMessages: { displayServiceErrorMessages: true },
    onMessage: ({ message }) => {
      if (message.role !== 'user' && message.text) window.settled?.resolve(message.text)
    },
    onError: (error) => window.settled?.reject(new Error(error?.message ?? String(error))),
  })
  document.body.append(chat)
  window.chat = chat
  await rendered
}

/** Types a question and returns the answer when it is whole, with how often the shown text changed. */
function ask(page, text, image) {
  return page.evaluate(
    async ({ text, image }) => {
      const { chat } = window
      const states = new Set()
      const look = () => {
        const shown = [...chat.shadowRoot.querySelectorAll('.ai-message-text')].at(-1)?.textContent
        if (shown) states.add(shown)
      }
      const watch = new MutationObserver(look)
      watch.observe(chat.shadowRoot, { childList: true, subtree: true, characterData: true })
      const bytes = image && Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0))
      const files = bytes ? [new File([bytes], 'image.png', { type: 'image/png' })] : undefined
      const answer = await new Promise((resolve, reject) => {
        window.settled = { resolve, reject }
        chat.submitUserMessage({ text, files })
      })
      look()
      return { answer, states: states.size }
    },
    { text, image },
  )
}

function casesOf(way) {
  const answerTo = async (question, options) => {
    const page = await openChat(way, options)
    try {
      return await ask(page, question, options?.image)
    } finally {
      await page.close()
    }
  }
  return {
    plain: async () => asked.echoes((await answerTo(asked.HELLO)).answer),
    streamed: async () => {
      const { answer, states } = await answerTo(asked.HELLO, { stream: true })
      asked.echoes(answer)
      if (states <= 5) throw new Error(`the page showed only ${states} states of the answer`)
    },
    'client tool': async () => {
      const code = asked.aWord()
      const { answer } = await answerTo(asked.USE_TOOL, { code })
      asked.has(answer, code)
    },
    'host tool': async () => asked.has((await answerTo(asked.USE_HOST_TOOL)).answer, asked.PRODUCT),
    structured: 'deep-chat asks for no schema',
    turns: async () => {
      const word = asked.aWord()
      const page = await openChat(way)
      await ask(page, word)
      asked.has((await ask(page, asked.RECALL)).answer, word)
      await page.close()
    },
    image: async () => {
      const image = new asked.Image()
      image.wasSeen((await answerTo(asked.LOOK, { image: image.base64 })).answer)
    },
    stop: async () => {
      const count = new asked.Count()
      const page = await openChat(way, { stream: true })
      await page.evaluate((text) => void window.chat.submitUserMessage({ text }), count.question)
      await count.hasBegun()
      await page.locator('#stop-icon').click()
      await count.wasStopped()
      await page.close()
    },
    errors: async () => {
      const unknown = answerTo(asked.HELLO, { model: asked.UNKNOWN_MODEL })
      await asked.throws(
        () => unknown,
        (error) => error.message.includes('does not publish'),
      )
      const stranger = answerTo(asked.HELLO, { key: asked.WRONG_KEY })
      await asked.throws(
        () => stranger,
        (error) => error.message.includes('does not know the token'),
      )
    },
  }
}

try {
  for (const way of Object.keys(WAYS)) await asked.run(way, casesOf(way))
} finally {
  await browser.close()
}
