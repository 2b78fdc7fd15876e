export interface JsonObject {
  readonly [key: string]: unknown
}

type Chunks = readonly JsonObject[]
type Mutation = (chunks: Chunks) => Chunks

/** A call's delta, and which call's which delta it is. */
interface CallDelta {
  readonly delta: JsonObject
  readonly index: number
  readonly ordinal: number
}

const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}

const without = (value: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

export const deltaOf = (chunk: JsonObject): JsonObject =>
  object(objects(chunk['choices'])[0]?.['delta'])

const callsIn = (chunk: JsonObject): readonly JsonObject[] => objects(deltaOf(chunk)['tool_calls'])

const functionOf = (delta: JsonObject): JsonObject => object(delta['function'])

/** Changes the first choice of each chunk that has one. */
export function onChoice(change: (choice: JsonObject, at: number) => JsonObject): Mutation {
  return (chunks) =>
    chunks.map((chunk, at) => {
      const [choice] = objects(chunk['choices'])
      return choice ? { ...chunk, choices: [change(choice, at)] } : chunk
    })
}

export function onDelta(change: (delta: JsonObject) => JsonObject): Mutation {
  return onChoice((choice) => ({ ...choice, delta: change(object(choice['delta'])) }))
}

/** Changes each delta of each call. */
export function onCalls(change: (call: CallDelta) => JsonObject): Mutation {
  return (chunks) => {
    const counts = new Map<number, number>()
    return onDelta((delta) => {
      const calls = objects(delta['tool_calls'])
      if (calls.length === 0) return delta
      const changed = calls.map((call) => {
        const index = Number(call['index'])
        const ordinal = counts.get(index) ?? 0
        counts.set(index, ordinal + 1)
        return change({ delta: call, index, ordinal })
      })
      return { ...delta, tool_calls: changed }
    })(chunks)
  }
}

export const onFunction = (change: (called: JsonObject, call: CallDelta) => JsonObject): Mutation =>
  onCalls((call) => ({ ...call.delta, function: change(functionOf(call.delta), call) }))

/** Each call whole, all in one delta where the first of them stood. */
export const wholeCalls: Mutation = (chunks) => {
  const first = chunks.findIndex((chunk) => callsIn(chunk).length > 0)
  const gathered = new Map<unknown, JsonObject>()
  for (const call of chunks.flatMap(callsIn)) {
    const known = gathered.get(call['index']) ?? { ...call, function: { arguments: '' } }
    const text = `${functionOf(known)['arguments']}${functionOf(call)['arguments']}`
    const called = { ...functionOf(call), ...functionOf(known), arguments: text }
    gathered.set(call['index'], { ...known, function: called })
  }
  const whole = onDelta((delta) => ({ ...delta, tool_calls: [...gathered.values()] }))
  return chunks.flatMap((chunk, at) => {
    if (at === first) return whole([chunk])
    return callsIn(chunk).length > 0 ? [] : [chunk]
  })
}

/** Each call whole, in a chunk of its own. */
export const callByCall: Mutation = (chunks) =>
  wholeCalls(chunks).flatMap((chunk) => {
    const calls = callsIn(chunk)
    if (calls.length === 0) return [chunk]
    return calls.flatMap((call) => onDelta((delta) => ({ ...delta, tool_calls: [call] }))([chunk]))
  })

/** The first deltas of a call without its name, which a later one has. */
export const lateNames = (missing: unknown): Mutation =>
  onFunction((called, { index, ordinal }) => {
    const rest = without(called, 'name')
    const name = ['weather', 'weather', 'now'][index]
    return ordinal === 0
      ? { ...rest, ...(missing === undefined ? {} : { name: missing }) }
      : { ...rest, name }
  })

export const after =
  (first: Mutation, ...others: readonly Mutation[]): Mutation =>
  (chunks) =>
    others.reduce((changed, mutation) => mutation(changed), first(chunks))

const indexed = (index: unknown): Mutation => onCalls(({ delta }) => ({ ...delta, index }))
const unindexed = onCalls(({ delta }) => without(delta, 'index'))
const withoutIds = onCalls(({ delta }) => without(delta, 'id'))
const changingIds = onCalls(({ delta, index, ordinal }) => ({
  ...delta,
  id: `id-${index}-${ordinal}`,
}))
const repeatedIds = onCalls(({ delta, index }) => ({ ...delta, id: `call_${'abc'[index]}` }))
const repeatedNames = onFunction((called, { index }) => ({
  ...called,
  name: ['weather', 'weather', 'now'][index],
}))
const parsedArguments = onFunction((called) => ({
  ...called,
  arguments: JSON.parse(String(called['arguments'])) as unknown,
}))
const renamedReasoning = (field: string): Mutation =>
  onDelta((delta) => {
    const { reasoning_content: text, ...rest } = delta
    return text === undefined ? delta : { ...rest, [field]: text }
  })
const withoutEnd = onChoice((choice) => without(choice, 'finish_reason'))
const isEnd = (chunk: JsonObject) => objects(chunk['choices'])[0]?.['finish_reason'] !== null
const endFirst: Mutation = (chunks) => {
  const end = chunks.findIndex((chunk) => objects(chunk['choices']).length > 0 && isEnd(chunk))
  return [
    ...chunks.slice(0, 1),
    chunks[end] ?? {},
    ...chunks.slice(1).filter((_, at) => at + 1 !== end),
  ]
}
const usageEverywhere: Mutation = (chunks) => {
  const usage = chunks.at(-1)?.['usage']
  return chunks.map((chunk, at) => ({
    ...chunk,
    usage:
      at < chunks.length - 1 ? { ...object(usage), completion_tokens: 1, total_tokens: 21 } : usage,
  }))
}
const usageIn =
  (wrap: (usage: unknown) => JsonObject): Mutation =>
  (chunks) => {
    const usage = chunks.at(-1)?.['usage']
    return chunks.map((chunk, at) =>
      at < chunks.length - 1 ? chunk : { ...without(chunk, 'usage'), ...wrap(usage) },
    )
  }

export interface Quirk {
  readonly mutate: Mutation
  /** What the stream no longer says. */
  readonly lost?: 'ids' | 'usage'
  /** What stands behind the last chunk. */
  readonly ending?: string
}

/** What servers do otherwise with the same answer. */
export const QUIRKS: { readonly [title: string]: Quirk } = {
  ...Object.fromEntries(
    ['reasoning', 'thinking', 'reasoning_text'].map((field) => [
      `reasoning called ${field}`,
      { mutate: renamedReasoning(field) },
    ]),
  ),
  'reasoning under two names': {
    mutate: onDelta((delta) => ({
      ...delta,
      ...(delta['reasoning_content'] ? { reasoning: delta['reasoning_content'] } : {}),
    })),
  },
  'reasoning as a list in the content': {
    mutate: onDelta(({ reasoning_content: text, ...rest }) =>
      text === undefined
        ? rest
        : { ...rest, content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] },
    ),
  },
  'late names': { mutate: lateNames(undefined) },
  'names that are null at first': { mutate: lateNames(null) },
  'names that are empty at first': { mutate: lateNames('') },
  'names that are null after the first': {
    mutate: onFunction((called, { ordinal }) =>
      ordinal === 0 ? called : { ...called, name: null },
    ),
  },
  'names and ids that are empty after the first': {
    mutate: onCalls(({ delta, ordinal }) =>
      ordinal === 0 ? delta : { ...delta, id: '', function: { ...functionOf(delta), name: '' } },
    ),
  },
  'names in every delta': { mutate: repeatedNames },
  'names and ids in every delta': { mutate: after(repeatedNames, repeatedIds) },
  'ids in every delta': { mutate: repeatedIds },
  'no ids': { mutate: withoutIds, lost: 'ids' },
  'ids that are null': { mutate: onCalls(({ delta }) => ({ ...delta, id: null })), lost: 'ids' },
  'ids that change with every delta': { mutate: changingIds, lost: 'ids' },
  'ids that change with every delta, and names in each': {
    mutate: after(repeatedNames, changingIds),
    lost: 'ids',
  },
  'ids that change, and no indexes': { mutate: after(changingIds, unindexed), lost: 'ids' },
  'no indexes': { mutate: unindexed },
  'no indexes, and ids in every delta': { mutate: after(repeatedIds, unindexed) },
  'indexes that are null': { mutate: indexed(null) },
  'neither indexes nor ids': { mutate: after(withoutIds, unindexed), lost: 'ids' },
  'neither indexes nor ids, and names in every delta': {
    mutate: after(repeatedNames, withoutIds, unindexed),
    lost: 'ids',
  },
  'indexes that are all 0': { mutate: indexed(0) },
  'indexes that are all 0, and ids in every delta': { mutate: after(repeatedIds, indexed(0)) },
  'indexes that are all 0, and names in every delta': { mutate: after(repeatedNames, indexed(0)) },
  'indexes that are all 0, and no ids': { mutate: after(withoutIds, indexed(0)), lost: 'ids' },
  'indexes that begin at 1': {
    mutate: onCalls(({ delta, index }) => ({ ...delta, index: index + 1 })),
  },
  'arguments as objects': { mutate: after(wholeCalls, parsedArguments) },
  'arguments as objects, call by call': { mutate: after(callByCall, parsedArguments) },
  'arguments that are empty where there are none': {
    mutate: onFunction((called, { index }) =>
      index === 2 ? { ...called, arguments: '' } : called,
    ),
  },
  'arguments that are null where there are none': {
    mutate: onFunction((called, { index }) =>
      index === 2 ? { ...called, arguments: null } : called,
    ),
  },
  'arguments that are missing where there are none': {
    mutate: onFunction((called, { index }) =>
      index === 2 ? without(called, 'arguments') : called,
    ),
  },
  'whole calls in one chunk': { mutate: wholeCalls },
  'whole calls in one chunk without ids': { mutate: after(wholeCalls, withoutIds), lost: 'ids' },
  'whole calls in one chunk without indexes': { mutate: after(wholeCalls, unindexed) },
  'whole calls in one chunk, all number 0': { mutate: after(wholeCalls, indexed(0)) },
  'whole calls in one chunk, all number 0, without ids': {
    mutate: after(wholeCalls, withoutIds, indexed(0)),
    lost: 'ids',
  },
  'whole calls in one chunk, without ids and indexes': {
    mutate: after(wholeCalls, withoutIds, unindexed),
    lost: 'ids',
  },
  'whole calls, each in its chunk, all number 0': { mutate: after(callByCall, indexed(0)) },
  'whole calls, each in its chunk, without ids and indexes': {
    mutate: after(callByCall, withoutIds, unindexed),
    lost: 'ids',
  },
  'whole calls told twice': {
    mutate: (chunks) =>
      callByCall(chunks).flatMap((chunk) => (callsIn(chunk).length > 0 ? [chunk, chunk] : [chunk])),
  },
  'an empty object before the arguments': {
    mutate: (chunks) =>
      callByCall(chunks).flatMap((chunk) =>
        callsIn(chunk).length === 0
          ? [chunk]
          : [...onFunction((called) => ({ ...called, arguments: {} }))([chunk]), chunk],
      ),
  },
  'an empty delta behind each call, under another id': {
    mutate: (chunks) =>
      callByCall(chunks).flatMap((chunk) =>
        callsIn(chunk).length === 0
          ? [chunk]
          : [
              chunk,
              ...onCalls(({ delta }) => ({
                index: delta['index'],
                id: 'x',
                function: { arguments: '' },
              }))([chunk]),
            ],
      ),
  },
  'calls after the finish reason': { mutate: endFirst },
  'finish reason "stop" with calls': {
    mutate: onChoice((choice) =>
      choice['finish_reason'] ? { ...choice, finish_reason: 'stop' } : choice,
    ),
  },
  'no finish reason': { mutate: withoutEnd },
  'a finish reason that is empty until the end': {
    mutate: (chunks) => {
      const changed = onChoice((choice) => ({
        ...choice,
        finish_reason: choice['finish_reason'] ?? '',
      }))(chunks)
      return [...changed, { ...changed[0], choices: [{ index: 0, delta: {}, finish_reason: '' }] }]
    },
  },
  'no [DONE]': { mutate: (chunks) => chunks, ending: '' },
  'usage in every chunk': { mutate: usageEverywhere },
  'usage that is null but in the last': {
    mutate: (chunks) => chunks.map((chunk) => ({ usage: null, ...chunk })),
  },
  'usage in x_groq': { mutate: usageIn((usage) => ({ x_groq: { id: 'req_1', usage } })) },
  'usage in the choice': {
    mutate: usageIn((usage) => ({
      choices: [{ index: 0, delta: {}, finish_reason: null, usage }],
    })),
  },
  'an empty usage at the end': {
    mutate: (chunks) => [...chunks, { id: 'chatcmpl-1', choices: [], usage: {} }],
  },
  'no usage': { mutate: (chunks) => chunks.slice(0, -1), lost: 'usage' },
  'empty choices between': {
    mutate: (chunks) => chunks.flatMap((chunk) => [{ id: '', model: '', choices: [] }, chunk]),
  },
  'choices that are null between': {
    mutate: (chunks) => chunks.flatMap((chunk) => [{ id: null, choices: null }, chunk]),
  },
  'deltas with a role alone between': {
    mutate: (chunks) =>
      chunks.flatMap((chunk) => [
        {
          ...chunk,
          usage: null,
          choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }],
        },
        chunk,
      ]),
  },
  'deltas that are null between': {
    mutate: (chunks) =>
      chunks.flatMap((chunk) => [
        { ...chunk, usage: null, choices: [{ index: 0, delta: null }] },
        chunk,
      ]),
  },
  'every field in every delta, null or empty': {
    mutate: onDelta((delta) => ({
      role: 'assistant',
      content: '',
      reasoning_content: null,
      refusal: null,
      tool_calls: null,
      function_call: null,
      audio: null,
      ...delta,
    })),
  },
  'choices whose index is missing': { mutate: onChoice((choice) => without(choice, 'index')) },
  'choices whose index is a text': { mutate: onChoice((choice) => ({ ...choice, index: '0' })) },
  'choices beside the first': {
    mutate: (chunks) =>
      chunks.map((chunk) => ({
        ...chunk,
        choices: [
          ...objects(chunk['choices']),
          { index: 1, delta: { content: 'other' }, finish_reason: 'stop' },
        ],
      })),
  },
  'an empty old-style list of calls beside nothing': {
    mutate: onDelta((delta) => ({ tool_calls: [], ...delta })),
  },
  'text as a list of parts': {
    mutate: onDelta((delta) =>
      delta['content'] ? { ...delta, content: [{ type: 'text', text: delta['content'] }] } : delta,
    ),
  },
  'the whole message at the end': {
    mutate: (chunks) => [
      ...chunks,
      {
        id: 'chatcmpl-1',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Let me look — ☂️.' },
            finish_reason: 'tool_calls',
          },
        ],
      },
    ],
  },
}
