/** For providers of servers with an OpenAI chat completions API. */
export { shortUser } from './bias.ts'
export { clientOptions } from './client-options.ts'
export { chatFormat } from './format.ts'
export { temperatureFields } from './request.ts'
export { usageOf } from './usage.ts'
