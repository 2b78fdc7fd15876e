type Messages = readonly { readonly role: string }[]

const SCHEMA = { name: 'write', description: 'Writes.', input_schema: { type: 'object' } }

export const WRITE = {
  kind: 'tool',
  name: 'write',
  getToolSchemas: () => [SCHEMA],
  executeTool: () => 'written',
}

/** A provider that calls the tool in so many steps as its config says, and then writes a word. */
export const CALLER = {
  kind: 'provider',
  name: 'caller',
  getModels: () => ['m'],
  getTags: () => ['text', 'tools', 'history-repair'],
  init: ({ settings }: { settings: { caller: { calls: number } } }) => settings.caller,
  stream: (messages: Messages, { calls }: { calls: number }) => {
    const done = messages.filter(({ role }) => role === 'tool').length
    const id = `call_${done + 1}`
    if (done < calls) {
      return [
        { type: 'tool-call-start', id, name: 'write' },
        { type: 'tool-call-end', id, input: {} },
      ]
    }
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: 'Done.' },
      { type: 'text-end', id },
    ]
  },
}

/** The config with which it makes so many calls. */
export const configOf = (calls: number) => ({ provider: 'caller', settings: { caller: { calls } } })
