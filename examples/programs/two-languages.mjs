// A plugin in TypeScript or JavaScript and one in Python, in one chain.
import { createHost, textOf } from 'braidwork'

const loud = {
  kind: 'extension',
  name: 'loud',
  fromNative: (_natives, core) =>
    core.map((item) => ({
      ...item,
      ...(item.delta && { delta: item.delta.toUpperCase() }),
      ...(item.parts && {
        parts: item.parts.map((part) => ({ ...part, text: part.text.toUpperCase() })),
      }),
    })),
}
const host = await createHost({ plugins: ['scripted', loud, './polite.py'] })
const { messages } = await host.send({}, 'My name is Ada.')
console.log(messages.map(textOf).join('\n'))
await host.close()
