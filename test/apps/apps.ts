import { join } from 'node:path'

/** A published application, whose program is `<language>/<name>/app.py` or `app.mjs`. */
export interface App {
  readonly name: string
  readonly language: 'python' | 'node'
  /** Its name on the page, if that of its folder is not it. */
  readonly title?: string
  /** Its packages, of which the page shows the versions. */
  readonly packages: readonly string[]
  /** How it is connected, in Markdown. */
  readonly connect: string
}

const ORIGIN = 'http://127.0.0.1:8787'
const V1 = `${ORIGIN}/v1`

export const APPS: readonly App[] = [
  {
    name: 'openai',
    language: 'python',
    packages: ['openai'],
    connect: `\`OpenAI(base_url="${V1}", api_key=…)\``,
  },
  {
    name: 'anthropic',
    language: 'python',
    packages: ['anthropic'],
    connect: `\`Anthropic(base_url="${ORIGIN}", api_key=…)\``,
  },
  {
    name: 'pydantic-ai',
    language: 'python',
    packages: ['pydantic-ai-slim'],
    connect: `\`OpenAIProvider(base_url="${V1}", api_key=…)\` for \`OpenAIChatModel\` and \`OpenAIResponsesModel\`; \`AnthropicProvider(base_url="${ORIGIN}", api_key=…)\``,
  },
  {
    name: 'openai-agents',
    language: 'python',
    packages: ['openai-agents'],
    connect: `\`OpenAIResponsesModel\` or \`OpenAIChatCompletionsModel\`, with \`AsyncOpenAI(base_url="${V1}", api_key=…)\``,
  },
  {
    name: 'langchain',
    title: 'LangChain',
    language: 'python',
    packages: ['langchain', 'langchain-openai', 'langchain-anthropic'],
    connect: `\`ChatOpenAI(base_url="${V1}", api_key=…)\`, with \`use_responses_api=True\` for Responses; \`ChatAnthropic(base_url="${ORIGIN}", api_key=…)\``,
  },
  {
    name: 'instructor',
    language: 'python',
    packages: ['instructor'],
    connect: `\`instructor.from_provider("openai/…", base_url="${V1}", api_key=…)\`, with \`mode=Mode.RESPONSES_TOOLS\` for Responses; \`instructor.from_anthropic(Anthropic(base_url="${ORIGIN}", api_key=…))\``,
  },
  {
    name: 'litellm',
    title: 'LiteLLM',
    language: 'python',
    packages: ['litellm'],
    connect: `\`litellm.completion(model="openai/…", api_base="${V1}", api_key=…)\` or \`litellm.responses\`, whose streams need \`litellm.register_model\` with \`supports_native_streaming\`; \`model="anthropic/…", api_base="${ORIGIN}"\``,
  },
  {
    name: 'litellm-proxy',
    title: 'LiteLLM proxy',
    language: 'python',
    packages: ['litellm'],
    connect: `a model of its \`model_list\` with \`model: openai/…\`, \`api_base: ${V1}\` and \`api_key\`, or \`anthropic/…\` with \`${ORIGIN}\``,
  },
  {
    name: 'llm',
    language: 'python',
    packages: ['llm', 'llm-anthropic'],
    connect: `\`llm openai endpoint ${V1} -m … --key …\`, or a model of \`extra-openai-models.yaml\` with \`api_base\`; \`ANTHROPIC_BASE_URL=${ORIGIN}\`, \`llm anthropic refresh\` and \`llm -m anthropic/…\``,
  },
  {
    name: 'gradio',
    title: 'Gradio',
    language: 'python',
    packages: ['gradio', 'openai'],
    connect: `\`gr.load_chat("${V1}", model=…, token=…)\``,
  },
  {
    name: 'aider',
    language: 'python',
    packages: ['aider-chat', 'litellm'],
    connect: `\`aider --openai-api-base ${V1} --openai-api-key … --model openai/…\``,
  },
  {
    name: 'a2a-sdk',
    language: 'python',
    packages: ['a2a-sdk'],
    connect: `\`A2ACardResolver(client, "${ORIGIN}/a2a/…")\` with the token in the headers of the client, and \`ClientFactory(config).create(card)\``,
  },
  {
    name: 'ai-sdk',
    title: 'AI SDK',
    language: 'node',
    packages: [
      'ai',
      '@ai-sdk/openai',
      '@ai-sdk/anthropic',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/azure',
      '@ai-sdk/cerebras',
      '@ai-sdk/deepinfra',
      '@ai-sdk/deepseek',
      '@ai-sdk/fireworks',
      '@ai-sdk/groq',
      '@ai-sdk/mistral',
      '@ai-sdk/perplexity',
      '@ai-sdk/togetherai',
      '@ai-sdk/xai',
      '@openrouter/ai-sdk-provider',
    ],
    connect: `\`createOpenAI({ baseURL: '${V1}', apiKey })\`, and so the other providers, also \`createAnthropic\`; \`createAzure\` with the token in \`headers.authorization\`, since it sends its key as \`api-key\``,
  },
  {
    name: 'openai-agents-js',
    title: '@openai/agents',
    language: 'node',
    packages: ['@openai/agents'],
    connect: `\`new OpenAIProvider({ baseURL: '${V1}', apiKey })\` as \`modelProvider\` of a \`Runner\`, with \`useResponses: false\` for Chat Completions`,
  },
  {
    name: 'langchain-js',
    title: 'LangChain',
    language: 'node',
    packages: ['langchain', '@langchain/openai', '@langchain/anthropic'],
    connect: `\`new ChatOpenAI({ apiKey, configuration: { baseURL: '${V1}' } })\`, with \`useResponsesApi: true\` for Responses; \`new ChatAnthropic({ apiKey, anthropicApiUrl: '${ORIGIN}' })\``,
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    language: 'node',
    packages: ['@openai/codex'],
    connect: `in \`config.toml\` a \`[model_providers.braidwork]\` with \`base_url = "${V1}"\`, \`env_key\` and \`wire_api = "responses"\``,
  },
  {
    name: 'opencode',
    language: 'node',
    packages: ['opencode-ai'],
    connect: `in \`opencode.json\` a provider with \`npm: "@ai-sdk/openai-compatible"\`, \`@ai-sdk/openai\` or \`@ai-sdk/anthropic\`, and \`options: { "baseURL": "${V1}", "apiKey": … }\``,
  },
  {
    name: 'pi',
    language: 'node',
    packages: ['@mariozechner/pi-coding-agent'],
    connect: `in \`models.json\` a provider with \`"baseUrl": "${V1}"\` (\`${ORIGIN}\` for \`anthropic-messages\`), \`api\` and \`apiKey\``,
  },
  {
    name: 'mastra',
    title: 'Mastra',
    language: 'node',
    packages: ['@mastra/core'],
    connect: `\`model: { providerId: "braidwork", modelId: …, url: "${V1}", apiKey }\` of an \`Agent\`, or a model of the AI SDK`,
  },
  {
    name: 'promptfoo',
    language: 'node',
    packages: ['promptfoo'],
    connect: `a provider \`openai:chat:…\` or \`openai:responses:…\` with \`apiBaseUrl: ${V1}\` and \`apiKey\`; \`anthropic:messages:…\` with \`apiBaseUrl: ${ORIGIN}\``,
  },
  {
    name: 'next',
    title: 'Next.js',
    language: 'node',
    packages: ['next', 'react', 'ai'],
    connect:
      '`examples/own-route/next`, a route of its own for `useChat`: it imports its plugins, because Next.js bundles only what is imported',
  },
  {
    name: 'assistant-ui',
    language: 'node',
    packages: ['@assistant-ui/react', '@assistant-ui/react-ai-sdk', 'ai'],
    connect: `\`useChatRuntime({ transport: new AssistantChatTransport({ api: '${ORIGIN}/api/chat', headers, body: { agent: … }, fetch }) })\`, whose \`fetch\` calls \`/api/chat/{id}/stop\` when its signal aborts: without that, a run goes on for a while after its page has stopped`,
  },
  {
    name: 'copilotkit',
    title: 'CopilotKit',
    language: 'node',
    packages: ['@copilotkit/react-core', '@ag-ui/client'],
    connect: `\`<CopilotKitProvider selfManagedAgents={{ default: new HttpAgent({ url: '${ORIGIN}/ag-ui', headers, fetch }) }} properties={{ agent: … }}>\` around \`<CopilotChat agentId="default" />\`; \`fetch\` calls \`/runs/{id}/stop\` with the id of the header \`x-run-id\` when its signal aborts: without that, a run goes on for a while after its page has stopped`,
  },
  {
    name: 'deep-chat',
    language: 'node',
    packages: ['deep-chat'],
    connect: `\`connect = { url: "${V1}/responses" }\` with \`directConnection = { openAI: { key, chat: { model } } }\`; \`${V1}/chat/completions\` with \`openRouter\`, \`${V1}/messages\` with \`claude\``,
  },
]

/** Applications that belong here and cannot be run, with the reason. */
export const NOT_RUN: { readonly [application: string]: string } = {}

export const FOLDER = import.meta.dirname

/** The folder of an application's program and lockfile. */
export function folderOf({ language, name }: App): string {
  return join(FOLDER, language, name)
}
