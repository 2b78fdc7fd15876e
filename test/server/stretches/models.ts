import type { PublishedModels } from '../../../src/server/index.ts'

const KEY = { api_key: 'a key for loopback alone' }

/** A published model for each way of a provider to an API; the path says which. */
export function modelsAt(api: string): PublishedModels {
  return {
    scripted: { config: { provider: 'scripted', settings: { scripted: { delay_ms: 0 } } } },
    'openai-responses': {
      config: {
        provider: 'openai',
        model: 'gpt-5.2',
        settings: { openai: { ...KEY, base_url: `${api}/v1` } },
      },
    },
    'openai-chat': {
      config: {
        provider: 'openai',
        model: 'gpt-5.2',
        settings: { openai: { ...KEY, api: 'chat', base_url: `${api}/v1` } },
      },
    },
    'openai-compatible': {
      config: {
        provider: 'openai-compatible',
        model: 'any',
        settings: { 'openai-compatible': { ...KEY, base_url: `${api}/v1` } },
      },
    },
    anthropic: {
      config: {
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        settings: { anthropic: { ...KEY, base_url: api } },
      },
    },
  }
}

export const MODELS = Object.keys(modelsAt(''))

/** What a model API answers in one piece, by the end of its address. */
export const ANSWERS: { readonly [path: string]: object } = {
  '/chat/completions': {
    id: 'c1',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  },
  '/responses': {
    id: 'r1',
    model: 'm',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
      },
    ],
  },
  '/messages': {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
}
