import type { AnyPlugin } from '../src/plugin/plugin.ts'
import type { State } from '../src/plugin/signatures.ts'
import type { CoreMessage, Declared, Scenario, VerdictRule } from './scenario.ts'

interface NativeMessage extends CoreMessage {
  readonly by: readonly string[]
}
interface Partial {
  readonly delta: string
}
type Final = { readonly [key: string]: unknown }
type Native = readonly NativeMessage[]
type Turn = readonly [native: Native, state: State]
type Step = readonly [partials: readonly Partial[], finals: readonly Final[], ...turn: Turn]

/** The plugins of a scenario in TypeScript; the provider is the first. */
export function buildPlugins({ provider, plugins }: Scenario): AnyPlugin[] {
  return [buildProvider(provider), ...plugins.map((declared) => BUILDERS[declared.kind](declared))]
}

const BUILDERS = {
  provider: buildProvider,
  extension: buildExtension,
  feature: buildFollower,
  tool: buildTool,
}

function shared(declared: Declared): AnyPlugin {
  const { kind, name, tags = [], tags_by_model: byModel = {} } = declared
  return {
    kind,
    name,
    getTags: (_config: unknown, models: readonly string[]) => [
      ...tags,
      ...Object.entries(byModel).flatMap(([model, tag]) => (models.includes(model) ? [tag] : [])),
    ],
  }
}

function enablement(declared: Declared): object {
  const rule = declared.is_enabled
  return {
    defaultEnabled: declared.default_enabled ?? true,
    requiredTags: () => declared.required_tags ?? [],
    forbiddenTags: declared.forbidden_tags ?? [],
    ...(rule ? { isEnabled: verdictOf(rule) } : {}),
  }
}

type EnabledIds = { readonly enabled_plugin_ids: { readonly [kind: string]: readonly string[] } }

function verdictOf(rule: VerdictRule) {
  return (
    config: State,
    tags: ReadonlySet<string>,
    models: readonly string[],
    context: EnabledIds,
  ) => {
    const enabled = Object.values(context.enabled_plugin_ids).flat()
    const held =
      rule.tag !== undefined
        ? tags.has(rule.tag)
        : rule.model !== undefined
          ? models.includes(rule.model)
          : rule.plugin !== undefined
            ? enabled.includes(rule.plugin)
            : config[rule.config ?? ''] === true
    return held ? rule.then : rule.otherwise
  }
}

function changeModels({ models: { add = [], remove = [] } = {} }: Declared) {
  return (_config: unknown, models: readonly string[] = []) => {
    const kept = models.filter((id) => !remove.includes(id))
    return [...kept, ...add.filter((id) => !kept.includes(id))]
  }
}

/** Records a hook call in the trace that the state contains. */
function mark(state: State, name: string, hook: string): State {
  const trace = (state['trace'] ?? []) as readonly string[]
  return { ...state, trace: [...trace, `${name}.${hook}`] }
}

function buildProvider(declared: Declared): AnyPlugin {
  const { name, words = [], early } = declared
  const earlyFinal = (word: string): Final => ({ early: word, by: name })
  return {
    ...shared(declared),
    getModels: changeModels(declared),
    init: (config: { tools: readonly { name: string }[] }) =>
      mark({ tools: config.tools.map((tool) => tool.name) }, name, 'init'),
    toNative: (messages: readonly CoreMessage[]): Native =>
      messages.map(({ role, text }) => ({ role, text, by: [name] })),
    initializeRequest: (native: Native, state: State): Turn => [
      native,
      mark(state, name, 'initialize_request'),
    ],
    call: (native: Native, state: State): Step => [
      [],
      words.filter((word) => word === early).map(earlyFinal),
      native,
      mark({ ...state, text: words.join(' ') }, name, 'call_api'),
    ],
    stream: async function* () {
      yield* words
    },
    processChunk: (chunk: string, native: Native, state: State): Step => [
      [{ delta: chunk }],
      chunk === early ? [earlyFinal(chunk)] : [],
      native,
      { ...state, text: 'text' in state ? `${state['text'] as string} ${chunk}` : chunk },
    ],
    finalize: (native: Native, state: State) => [
      [{ text: state['text'] ?? '' }],
      native,
      mark(state, name, 'finalize'),
    ],
    fromNative: (messages: readonly Final[]) =>
      messages.map((message) => ({ role: 'assistant', ...message })),
  }
}

function buildFollower(declared: Declared): AnyPlugin {
  const { name, init = {}, edit, system, keep_last: keepLast, stamp } = declared
  return {
    ...shared(declared),
    ...enablement(declared),
    getModels: changeModels(declared),
    init: (_config: unknown, state: State) => mark({ ...state, [name]: init }, name, 'init'),
    ...(edit === undefined ? {} : { editMessages: editLast(edit) }),
    toNative: (_messages: unknown, upstream: Native) => {
      const native = upstream.map((message) => ({ ...message, by: [...message.by, name] }))
      return system === undefined
        ? native
        : [{ role: 'system', text: system, by: [name] }, ...native]
    },
    initializeRequest: (native: Native, state: State): Turn => [
      keepLast === undefined ? native : native.slice(-keepLast),
      mark(state, name, 'initialize_request'),
    ],
    finalize: (finals: readonly Final[], native: Native, state: State) => [
      stamp === undefined ? finals : finals.map((final) => stampOn(final, stamp)),
      native,
      mark(state, name, 'finalize'),
    ],
    fromNative: (_natives: unknown, core: readonly Final[]) =>
      core.map((message) => ({ ...message, via: [...((message['via'] ?? []) as string[]), name] })),
  }
}

function editLast(added: string) {
  return (messages: readonly CoreMessage[], state: State) =>
    messages.map((message, index) =>
      index === messages.length - 1
        ? { ...message, text: `${message.text} ${added}${Object.keys(state).length}` }
        : message,
    )
}

function stampOn(final: Final, stamp: string): Final {
  return { ...final, stamp: `${(final['stamp'] ?? '') as string}${stamp}` }
}

function buildExtension(declared: Declared): AnyPlugin {
  const { name, chunk: rule } = declared
  const follower = buildFollower(declared)
  return rule === undefined ? follower : { ...follower, processChunk: changeChunk(name, rule) }
}

function changeChunk(name: string, rule: NonNullable<Declared['chunk']>) {
  return (chunk: string, ...[partials, finals, native, state]: Step): Step => {
    switch (rule) {
      case 'upper':
        return [
          partials.map((partial) => ({ ...partial, delta: partial.delta.toUpperCase() })),
          finals,
          native,
          state,
        ]
      case 'mute':
        return [[], finals, native, state]
      case 'double':
        return [
          partials.flatMap((partial) => [{ ...partial }, { ...partial }]),
          finals,
          native,
          state,
        ]
      case 'count':
        return [partials, finals, native, { ...state, [name]: counted(state[name] as Counted) }]
      case 'final':
        return [partials, [...finals, { seen: chunk, by: name }], native, state]
    }
  }
}

interface Counted {
  readonly chunks?: number
}

function counted(own: Counted): Counted {
  return { ...own, chunks: (own.chunks ?? 0) + 1 }
}

function buildTool(declared: Declared): AnyPlugin {
  const { name, schemas = [] } = declared
  return {
    ...shared(declared),
    ...enablement(declared),
    init: (config: State) => ({ name, greeting: config['greeting'] ?? '' }),
    getToolSchemas: (state: State) =>
      schemas.map((suffix) => ({
        name: `${name}_${suffix}`,
        description: state['greeting'],
        input_schema: { type: 'object' },
      })),
  }
}
