// A model API that fails twice: the run asks again, and tells each failure.
import { createHost, textOf } from 'braidwork'
import { run } from 'braidwork/agent'

let asked = 0
const shaky = {
  kind: 'provider',
  name: 'shaky',
  getTags: () => ['text'],
  call: (native, state) => {
    asked += 1
    if (asked < 3)
      throw Object.assign(new Error('too busy'), { code: 'OVERLOADED', retryable: true })
    return [
      [],
      [{ role: 'assistant', parts: [{ type: 'text', text: 'Here I am.' }] }],
      native,
      state,
    ]
  },
}
const host = await createHost({ plugins: [shaky] })
const once = await host.send({}, 'Hello').catch(({ code, retryable }) => ({ code, retryable }))
console.log(once)
const { messages } = await run(host, {
  messages: 'Hello',
  retry: { max_retries: 2, overloaded_backoff_base_ms: 1 },
}).result
console.log(asked, textOf(messages.at(-1)))
await host.close()
