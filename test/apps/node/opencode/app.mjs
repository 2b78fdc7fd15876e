import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as asked from './cases.mjs'
import { jsonLines, ran, stops } from './commands.mjs'

const OPENCODE = join(import.meta.dirname, 'node_modules/opencode-linux-x64/bin/opencode')
const KINDS = {
  '@ai-sdk/openai-compatible': 'Chat Completions',
  '@ai-sdk/openai': 'Responses',
  '@ai-sdk/anthropic': 'Messages',
}

const modalities = { input: ['text', 'image'], output: ['text'] }
const about = {
  attachment: true,
  tool_call: true,
  modalities,
  limit: { context: 100_000, output: 4000 },
}
const models = { [asked.MODEL]: about, [asked.UNKNOWN_MODEL]: about }
const providers = Object.entries(KINDS).flatMap(([npm, api]) => {
  const id = api.toLowerCase().replace(' ', '-')
  const options = (apiKey) => ({ baseURL: asked.OPENAI_URL, apiKey })
  return [
    [id, { npm, name: api, options: options(asked.KEY), models }],
    [`${id}-stranger`, { npm, name: api, options: options(asked.WRONG_KEY), models }],
  ]
})
const config = {
  $schema: 'https://opencode.ai/config.json',
  provider: Object.fromEntries(providers),
  permission: 'allow',
  share: 'disabled',
  autoupdate: false,
}
const folder = resolve('project')
mkdirSync(folder)
writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config))
const env = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

function casesOf(api) {
  const id = api.toLowerCase().replace(' ', '-')
  // A question among the arguments would be put into quotation marks.
  const command = ([input, ...args], { model = asked.MODEL, of = id } = {}) => [
    OPENCODE,
    ['run', '--dir', folder, '--format', 'json', '-m', `${of}/${model}`, ...args],
    { env, input },
  ]
  const ask = async (args, options) => (await ran(...command(args, options))).text
  const answerTo = async (args) => {
    const text = await ask(args)
    const parts = jsonLines(text).filter(({ type }) => type === 'text')
    if (parts.length === 0) throw new Error(`opencode printed no answer: ${text}`)
    return parts.map(({ part }) => part.text).join('\n')
  }
  return {
    plain: async () => asked.echoes(await answerTo([asked.HELLO])),
    streamed: '`opencode run` prints whole parts, although it reads each answer as a stream',
    'client tool': async () => {
      const code = asked.aWord()
      writeFileSync(join(folder, 'secret.txt'), code)
      const use = 'Use the tool bash with {"command": "cat secret.txt", "description": "Reads"}.'
      asked.has(await answerTo([use]), code)
    },
    'host tool': async () => asked.has(await answerTo([asked.USE_HOST_TOOL]), asked.PRODUCT),
    structured: 'opencode asks for no schema',
    turns: async () => {
      const word = asked.aWord()
      await answerTo([word])
      asked.has(await answerTo([asked.RECALL, '-c']), word)
    },
    image: async () => {
      const image = new asked.Image()
      const path = join(folder, 'image.png')
      writeFileSync(path, image.bytes)
      image.wasSeen(await answerTo([asked.LOOK, '-f', path]))
    },
    stop: () => stops((question) => command([question])),
    errors: async () => {
      asked.has(await ask([asked.HELLO], { model: asked.UNKNOWN_MODEL }), 'does not publish')
      asked.has(await ask([asked.HELLO], { of: `${id}-stranger` }), 'does not know the token')
    },
  }
}

for (const api of Object.values(KINDS)) await asked.run(api, casesOf(api))
