import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as asked from './cases.mjs'
import { ran } from './commands.mjs'

const MAIN = join(import.meta.dirname, 'node_modules/promptfoo/dist/src/entrypoint.js')
const env = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_CONFIG_DIR: resolve('promptfoo'),
  PROMPTFOO_DISABLE_REMOTE_GENERATION: 'true',
  PROMPTFOO_SELF_HOSTED: '1',
}
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const PERSON = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'number' } },
  required: ['name', 'age'],
  additionalProperties: false,
}

const WAYS = {
  'Chat Completions': { id: 'openai:chat:', apiBaseUrl: asked.OPENAI_URL },
  Responses: { id: 'openai:responses:', apiBaseUrl: asked.OPENAI_URL },
  Messages: { id: 'anthropic:messages:', apiBaseUrl: asked.ORIGIN },
}

function commandOf(
  api,
  prompt,
  { key = asked.KEY, model = asked.MODEL, assert = [], ...more } = {},
) {
  const { id, apiBaseUrl } = WAYS[api]
  const provider = {
    id: `${id}${model}`,
    config: { apiBaseUrl, apiKey: key, max_tokens: 1000, ...more },
  }
  const config = { prompts: [prompt], providers: [provider], tests: [{ assert }] }
  writeFileSync('promptfooconfig.json', JSON.stringify(config))
  const args = [
    'eval',
    '-c',
    'promptfooconfig.json',
    '--no-cache',
    '--no-progress-bar',
    '-o',
    'out.json',
  ]
  return [process.execPath, [MAIN, ...args, '--no-share'], { env }]
}

async function evaluate(api, prompt, options) {
  const { text } = await ran(...commandOf(api, prompt, options))
  try {
    const { results } = JSON.parse(readFileSync('out.json', 'utf8'))
    return results.results[0]
  } catch (error) {
    throw new Error(`promptfoo wrote no results: ${text}`, { cause: error })
  } finally {
    rmSync('out.json', { force: true })
  }
}

function casesOf(api) {
  const ask = async (prompt, options) => {
    const { response, error } = await evaluate(api, prompt, options)
    if (error) throw new Error(error)
    return response.output
  }
  const own = {
    'Chat Completions': {
      type: 'function',
      function: { name: 'get_weather', parameters: PARAMETERS },
    },
    Responses: { type: 'function', name: 'get_weather', parameters: PARAMETERS },
    Messages: { name: 'get_weather', description: 'Tells the weather.', input_schema: PARAMETERS },
  }[api]
  return {
    plain: async () => asked.echoes(await ask(asked.HELLO)),
    streamed: 'promptfoo judges whole answers',
    'client tool': async () => {
      const answer = JSON.stringify(await ask(asked.USE_TOOL, { tools: [own] }))
      asked.has(answer, 'get_weather')
      asked.has(answer, 'Paris')
    },
    'host tool': async () => asked.has(await ask(asked.USE_HOST_TOOL), asked.PRODUCT),
    structured: async () => {
      const json_schema = { name: 'person', strict: true, schema: PERSON }
      const options =
        api === 'Messages'
          ? { output_format: { type: 'json_schema', schema: PERSON } }
          : { response_format: { type: 'json_schema', json_schema, ...json_schema } }
      const output = await ask(asked.PERSON, options)
      asked.isAda(typeof output === 'string' ? JSON.parse(output) : output)
    },
    turns: async () => {
      const word = asked.aWord()
      const said = [word, 'Yes.', asked.RECALL]
      const messages = said.map((content, at) => ({
        role: at === 1 ? 'assistant' : 'user',
        content,
      }))
      asked.has(await ask(JSON.stringify(messages)), word)
    },
    image: async () => {
      const image = new asked.Image()
      const source = { type: 'base64', media_type: 'image/png', data: image.base64 }
      const part = {
        'Chat Completions': { type: 'image_url', image_url: { url: image.url } },
        Responses: { type: 'input_image', image_url: image.url },
        Messages: { type: 'image', source },
      }[api]
      const text = { type: api === 'Responses' ? 'input_text' : 'text', text: asked.LOOK }
      image.wasSeen(await ask(JSON.stringify([{ role: 'user', content: [text, part] }])))
    },
    stop: 'promptfoo reads no streams',
    errors: async () => {
      const unknown = await evaluate(api, asked.HELLO, { model: asked.UNKNOWN_MODEL })
      asked.has(unknown.error, 'does not publish')
      const stranger = await evaluate(api, asked.HELLO, { key: asked.WRONG_KEY })
      asked.has(stranger.error, '401')
    },
  }
}

for (const api of Object.keys(WAYS)) await asked.run(api, casesOf(api))
