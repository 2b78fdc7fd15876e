import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as asked from './cases.mjs'
import { jsonLines, ran, stops } from './commands.mjs'

const PI = join(import.meta.dirname, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js')
const home = resolve('pi')
mkdirSync(home)
const APIS = {
  'openai-completions': asked.OPENAI_URL,
  'openai-responses': asked.OPENAI_URL,
  'anthropic-messages': asked.ORIGIN,
}
const models = [asked.MODEL, asked.UNKNOWN_MODEL].map((id) => ({ id, input: ['text', 'image'] }))
const providers = Object.entries(APIS).flatMap(([api, baseUrl]) => [
  [api, { api, baseUrl, apiKey: asked.KEY, models }],
  [`${api}-stranger`, { api, baseUrl, apiKey: asked.WRONG_KEY, models }],
])
const file = { providers: Object.fromEntries(providers) }
writeFileSync(join(home, 'models.json'), JSON.stringify(file))
const env = { PI_CODING_AGENT_DIR: home, PI_OFFLINE: '1' }

function casesOf(provider) {
  const command = (args, { model = asked.MODEL, of = provider } = {}) => [
    process.execPath,
    [PI, '--provider', of, '--model', model, ...args],
    { env },
  ]
  const ask = async (args, options) => (await ran(...command(['-p', ...args], options))).text
  return {
    plain: async () => asked.echoes(await ask([asked.HELLO])),
    streamed: async () => {
      const { text } = await ran(...command(['--mode', 'json', asked.HELLO]))
      const deltas = jsonLines(text).flatMap(({ assistantMessageEvent: event }) =>
        event?.type === 'text_delta' ? [event.delta] : [],
      )
      asked.echoes(asked.cameInPieces(deltas))
    },
    'client tool': async () => {
      const code = asked.aWord()
      writeFileSync('secret.txt', code)
      asked.has(await ask(['Use the tool bash with {"command": "cat secret.txt"}.']), code)
    },
    'host tool': async () => asked.has(await ask([asked.USE_HOST_TOOL]), asked.PRODUCT),
    structured: 'pi asks for no schema',
    turns: async () => {
      const word = asked.aWord()
      await ask([word])
      await ask(['-c', 'Use the tool bash with {"command": "echo"}.'])
      asked.has(await ask(['-c', asked.RECALL]), word)
    },
    image: async () => {
      const image = new asked.Image()
      writeFileSync('image.png', image.bytes)
      image.wasSeen(await ask(['@image.png', asked.LOOK]))
    },
    stop: () => stops((question) => command(['-p', question])),
    errors: async () => {
      asked.has(await ask([asked.HELLO], { model: asked.UNKNOWN_MODEL }), 'does not publish')
      asked.has(await ask([asked.HELLO], { of: `${provider}-stranger` }), '401')
    },
  }
}

for (const api of Object.keys(APIS)) await asked.run(api, casesOf(api))
