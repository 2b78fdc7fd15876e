/** For servers that speak OpenAI chat completions. */
export { clientOptions } from './client-options.ts'
export { chatFormat } from './format.ts'
export { temperatureFields } from './request.ts'
export { usageOf } from './usage.ts'
