// Builds and starts a Next.js application with the route of examples/own-route, and chats with it as useChat does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DefaultChatTransport, readUIMessageStream } from 'ai'
import * as asked from './cases.mjs'
import { ran } from './commands.mjs'

const FOLDER = import.meta.dirname
/** This program runs in .cache/apps/node/next of the repository, whose packages the route imports. */
const EXAMPLE = join(FOLDER, '../../../../examples/own-route/next/app/api/chat/route.js')
const CONFIG = "{ provider: 'openai', model: 'gpt-5' }"
const NEXT = join(FOLDER, 'node_modules/next/dist/bin/next')
const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`

/** The example's route, with the address of the model API, its token and its model. */
async function addRoute(name, { key = asked.KEY, model = asked.MODEL } = {}) {
  const text = await readFile(EXAMPLE, 'utf8')
  if (!text.includes(CONFIG)) throw new Error(`the example lacks ${CONFIG}`)
  const openai = { base_url: asked.OPENAI_URL, api_key: key, api: 'chat' }
  const config = JSON.stringify({ provider: 'openai', model, settings: { openai } })
  const folder = join(FOLDER, 'app/api', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'route.js'), text.replace(CONFIG, config))
}

async function build() {
  await writeFile(join(FOLDER, 'next.config.mjs'), 'export default { distDir: "built" }\n')
  await mkdir(join(FOLDER, 'app'), { recursive: true })
  await writeFile(join(FOLDER, 'app/layout.js'), LAYOUT)
  await addRoute('chat')
  await addRoute('unknown', { model: asked.UNKNOWN_MODEL })
  await addRoute('refused', { key: asked.WRONG_KEY })
  const { status, text } = await ran(process.execPath, [NEXT, 'build', FOLDER])
  if (status !== 0) throw new Error(`next build ended with ${status}: ${text}`)
}

/** Starts the built application. Its process ends with this program's group. */
async function start() {
  const args = [NEXT, 'start', FOLDER, '--port', '0', '--hostname', '127.0.0.1']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`next start ended with ${status}`)
  })
  return { child, url: await Promise.race([ended, addressIn(child.stdout)]) }
}

async function addressIn(output) {
  let text = ''
  for await (const piece of output) {
    text += piece
    const [, address] = /(http:\/\/127\.0\.0\.1:\d+)\s[\s\S]*Ready/.exec(text) ?? []
    if (address !== undefined) {
      output.resume()
      return address
    }
  }
  throw new Error(`next start printed no address: ${text}`)
}

process.env.NEXT_TELEMETRY_DISABLED = '1'
await build()
const { child, url } = await start()

const messageOf = (role, ...parts) => ({ id: crypto.randomUUID(), role, parts })
const text = (words) => ({ type: 'text', text: words })

/** Sends the messages of a chat. */
function send(messages, { route = 'chat', abortSignal } = {}) {
  const transport = new DefaultChatTransport({ api: `${url}/api/${route}` })
  return transport.sendMessages({
    chatId: 'chat',
    trigger: 'submit-message',
    messages,
    abortSignal,
  })
}

/** Yields the answer as it grows. */
async function* answers(messages, options) {
  const stream = await send(messages, options)
  const onError = (error) => {
    throw error
  }
  yield* readUIMessageStream({ stream, terminateOnError: true, onError })
}

async function answerTo(messages, options) {
  let last
  for await (const message of answers(messages, options)) last = message
  return last
}

const wordsOf = ({ parts }) => parts.map((part) => part.text ?? '').join('')
const say = async (words) => wordsOf(await answerTo([messageOf('user', text(words))]))
const NO_SCHEMA = 'a page with useChat asks for no schema'
const NO_TOOL = 'the route has the tools: the page could only run one that the route gives it'

await asked.run('UI message stream', {
  plain: async () => asked.echoes(await say(asked.HELLO)),
  streamed: async () => {
    const seen = []
    for await (const message of answers([messageOf('user', text(asked.HELLO))])) {
      seen.push(wordsOf(message))
    }
    asked.cameInPieces([...new Set(seen)])
    asked.echoes(seen.at(-1))
  },
  'client tool': NO_TOOL,
  'host tool': async () => {
    const question = 'Use the tool weather with {"city": "Paris"}.'
    const answer = await answerTo([messageOf('user', text(question))])
    asked.has(wordsOf(answer), 'Sunny in Paris.')
    asked.has(JSON.stringify(answer.parts), '"state":"output-available"')
  },
  structured: NO_SCHEMA,
  turns: async () => {
    const word = asked.aWord()
    const first = messageOf('user', text(word))
    const history = [first, await answerTo([first]), messageOf('user', text(asked.RECALL))]
    asked.has(wordsOf(await answerTo(history)), word)
  },
  image: async () => {
    const image = new asked.Image()
    const file = { type: 'file', mediaType: 'image/png', url: image.url }
    image.wasSeen(wordsOf(await answerTo([messageOf('user', file, text(asked.LOOK))])))
  },
  stop: async () => {
    const count = new asked.Count()
    const stop = new AbortController()
    const chunks = await send([messageOf('user', text(count.question))], {
      abortSignal: stop.signal,
    })
    let seen = 0
    const read = async () => {
      for await (const { type } of chunks) if (type === 'text-delta' && ++seen === 5) stop.abort()
    }
    await asked.throws(read, ({ name }) => name === 'AbortError')
    await count.wasStopped()
  },
  errors: async () => {
    const ask = (route) => answerTo([messageOf('user', text(asked.HELLO))], { route })
    const says = (code) => (error) => String(error.message).includes(code)
    await asked.throws(() => ask('unknown'), says('MODEL_UNKNOWN'))
    await asked.throws(() => ask('refused'), says('UNAUTHORIZED'))
  },
})
child.kill()
