import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as asked from './cases.mjs'
import { jsonLines, ran, stops } from './commands.mjs'

const CODEX = join(import.meta.dirname, 'node_modules/@openai/codex/bin/codex.js')
const home = resolve('codex')
const weather = new asked.Weather()
const log = resolve('asked.txt')
mkdirSync(home)
writeFileSync(log, '')
writeFileSync(
  join(home, 'config.toml'),
  `model = "${asked.MODEL}"
model_provider = "braidwork"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.braidwork]
name = "Braidwork"
base_url = "${asked.OPENAI_URL}"
env_key = "BRAIDWORK_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.weather]
command = "${process.execPath}"
args = ["${join(import.meta.dirname, 'mcp.mjs')}"]
env = { ASKED = "${log}", CODE = "${weather.code}" }
`,
)

const usual = [
  'exec',
  '--json',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
]
const command = (...args) => [process.execPath, [CODEX, ...usual, ...args]]

async function ask(args, env = {}) {
  const [node, all] = command(...args)
  const { text } = await ran(node, all, { env: { CODEX_HOME: home, ...env } })
  return { text, events: jsonLines(text) }
}

function answerIn({ text, events }) {
  const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => item)
  const answer = items.findLast(({ type }) => type === 'agent_message')?.text
  if (answer === undefined) throw new Error(`Codex printed no answer: ${text}`)
  return answer
}

await asked.run('Responses', {
  plain: async () => asked.echoes(answerIn(await ask([asked.HELLO]))),
  streamed: '`codex exec` prints whole items, although it reads each answer as a stream',
  'client tool': async () => {
    const answer = answerIn(await ask([asked.USE_TOOL]))
    weather.asked = readFileSync(log, 'utf8').trim().split('\n')
    weather.wasTold(answer)
    const code = asked.aWord()
    writeFileSync('secret.txt', code)
    const use = 'Use the tool exec_command with {"cmd": "cat secret.txt"}.'
    asked.has(answerIn(await ask([use])), code)
  },
  'host tool': async () => asked.has(answerIn(await ask([asked.USE_HOST_TOOL])), asked.PRODUCT),
  structured: async () => {
    const properties = { name: { type: 'string' }, age: { type: 'integer' } }
    const required = ['name', 'age']
    const schema = { type: 'object', properties, required, additionalProperties: false }
    writeFileSync('schema.json', JSON.stringify(schema))
    asked.isAda(JSON.parse(answerIn(await ask(['--output-schema', 'schema.json', asked.PERSON]))))
  },
  turns: async () => {
    const word = asked.aWord()
    const { events } = await ask([word])
    const { thread_id } = events.find(({ type }) => type === 'thread.started')
    asked.has(answerIn(await ask(['resume', thread_id, asked.RECALL])), word)
  },
  image: async () => {
    const image = new asked.Image()
    writeFileSync('image.png', image.bytes)
    image.wasSeen(answerIn(await ask([asked.LOOK, '-i', 'image.png'])))
  },
  stop: () => stops((question) => [...command(question), { env: { CODEX_HOME: home } }]),
  errors: async () => {
    const unknown = await ask(['-m', asked.UNKNOWN_MODEL, asked.HELLO])
    asked.has(unknown.text, 'does not publish')
    const stranger = await ask([asked.HELLO], { BRAIDWORK_KEY: asked.WRONG_KEY })
    asked.has(stranger.text, '401')
  },
})
