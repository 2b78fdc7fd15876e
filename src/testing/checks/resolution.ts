import { mergeLayers } from '@braidwork/core'
import { HOOKS, isObject, type ModelInfo } from '@braidwork/plugin'
import type { Harness } from '../harness/index.ts'
import { type Check, done, fault, same, unjudged } from './check.ts'

type Hook = (...args: unknown[]) => unknown

/** How many models of a provider are tried. */
const MOST_MODELS = 5

const resolves: Check = {
  name: 'resolves without an error',
  about: 'hooks.md#gettags',
  isForAll: true,
  async run({ trial }) {
    const error = await trial.host.resolve(trial.config).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    if (error) fault(`The config cannot be resolved: ${error.message}`)
    const [own] = await trial.host.explain(trial.config, { plugin: trial.plugin.name })
    if (own?.rule === 'threw') fault(`A hook threw while plugins were selected. ${why(own)}`)
  },
}

const isOn: Check = {
  name: 'is on for its config',
  about: 'testing.md#options',
  isForAll: true,
  async run({ trial }) {
    const { host, plugin, config } = trial
    const [own] = await host.explain(config, { plugin: plugin.name }).catch(() => [])
    if (!own) return unjudged('the config cannot be resolved')
    if (own.on || own.rule === 'threw') return
    const missing = own.tags.filter(({ present }) => !present).map(({ tag }) => `"${tag}"`)
    const lacks = missing.length > 0 ? ` It lacks ${missing.join(', ')}.` : ''
    fault(
      `"${plugin.name}" is off (${own.rule}).${lacks} Pass the tags of the provider in "tags", or other plugins in "beside".`,
    )
  },
}

function why(entry: object): string {
  const { error } = entry as { readonly error?: { readonly message?: string } }
  return error?.message ?? ''
}

/** Asks a hook that depends only on its arguments twice, and compares. */
function steady(hook: 'getTags' | 'getModels' | 'isEnabled', what: string): Check {
  return {
    name: `gives the same ${what} each time it is asked`,
    about: `hooks.md#${hook.toLowerCase()}`,
    isForAll: true,
    async run(harness) {
      const first = await answersOf(harness, hook)
      same(
        await answersOf(harness, hook),
        first,
        `"${hook}" answers otherwise the second time. Its answer must depend only on the config.`,
      )
    },
  }
}

async function answersOf(harness: Harness, hook: string): Promise<readonly unknown[]> {
  const from = harness.calls.length
  await harness.trial.host
    .resolve(harness.trial.config)
    .catch(() => unjudged('nothing is resolved'))
  const asked = harness.calls.slice(from).filter((call) => call.hook === hook)
  return asked.map(({ answer }) => (answer instanceof Set ? [...answer] : answer))
}

const withoutSettings: Check = {
  name: 'resolves without its settings',
  about: 'hooks.md#gettags',
  isForAll: true,
  async run({ trial }) {
    const { host, plugin } = trial
    await host.resolve(trial.config).catch(() => unjudged('nothing is resolved'))
    const { [plugin.name]: _, ...others } = trial.config.settings ?? {}
    const config = { ...trial.config, settings: others }
    const [own] = await host.explain(config, { plugin: plugin.name }).catch((error: Error) => {
      fault(`A config without "settings.${plugin.name}" cannot be resolved: ${error.message}`)
    })
    if (own?.rule === 'threw') fault(`A hook fails without "settings.${plugin.name}". ${why(own)}`)
  },
}

const forEachModel: Check = {
  name: 'resolves with each of its models',
  about: 'hooks.md#getmodels',
  async run({ trial }) {
    for (const model of await modelsOf(trial)) {
      await trial.host
        .resolve(mergeLayers(trial.config, { model }))
        .catch((error: Error) => fault(`Model "${model}" cannot be used: ${error.message}`))
    }
  },
}

async function modelsOf({ host, config }: Harness['trial']): Promise<readonly string[]> {
  const { models } = await host.resolve(config).catch(() => unjudged('nothing is resolved'))
  return models.slice(0, MOST_MODELS)
}

const describesModels: Check = {
  name: 'describes its models with possible facts',
  about: 'hooks.md#getmodelinfo',
  run: (harness) =>
    withModelInfo(harness, (info, model) => {
      const sizes = [info.contextWindow, info.maxOutputTokens]
      const isPossible = sizes.every((size) => size === undefined || size > 0)
      const prices = Object.values(info.price ?? {}).filter((price) => typeof price === 'number')
      if (isPossible && prices.every((price) => price >= 0)) return
      fault(`"getModelInfo" says of "${model}" what cannot be: ${JSON.stringify(info)}`)
    }),
}

const describesAlike: Check = {
  name: 'describes a model the same each time it is asked',
  about: 'hooks.md#getmodelinfo',
  run: (harness) =>
    withModelInfo(harness, async (info, model, ask) =>
      same(await ask(), info, `"getModelInfo" answers otherwise for "${model}" the second time.`),
    ),
}

type InfoCheck = (
  info: ModelInfo,
  model: string,
  ask: () => Promise<unknown>,
) => void | Promise<void>

async function withModelInfo({ trial }: Harness, check: InfoCheck): Promise<void> {
  const { getModelInfo } = trial.plugin
  if (typeof getModelInfo !== 'function') return unjudged('the plugin has no "getModelInfo"')
  for (const model of await modelsOf(trial)) {
    const ask = async () => (getModelInfo as Hook)(model, trial.config)
    const info = await ask()
    if (!isObject(info)) fault(`"getModelInfo" answers for "${model}" with no object.`)
    await check(info, model, ask)
  }
}

const sameHooks: Check = {
  name: 'has the same hooks each time they are read',
  about: 'hooks.md#hooks',
  async run(harness) {
    const hooks = () => Object.keys(HOOKS).filter((hook) => harness.has(hook))
    const first = hooks()
    done(await harness.ask('stream'))
    same(hooks(), first, 'A hook comes or goes. Let it be there, and hand on what it is given.')
  },
}

const CHOOSING: readonly string[] = ['getModels', 'getTags', 'isEnabled', 'getModelInfo']

const choosesQuietly: Check = {
  name: 'runs no hook of a request while plugins are selected',
  about: 'hooks.md#hooks',
  async run(harness) {
    const from = harness.calls.length
    await harness.trial.host
      .resolve(harness.trial.config)
      .catch(() => unjudged('nothing is resolved'))
    const ran = harness.calls.slice(from).map(({ hook }) => hook)
    same(
      ran.filter((hook) => !CHOOSING.includes(hook)),
      [],
      'Hooks ran during the selection of plugins.',
    )
  },
}

const COMMON = [resolves, isOn, steady('getTags', 'tags'), withoutSettings, sameHooks]

export const RESOLUTION_OF_PROVIDERS: readonly Check[] = [
  ...COMMON,
  choosesQuietly,
  steady('getModels', 'models'),
  forEachModel,
  describesModels,
  describesAlike,
]

export const RESOLUTION_OF_TOOLS: readonly Check[] = [
  ...COMMON,
  choosesQuietly,
  steady('isEnabled', 'verdict'),
]

export const RESOLUTION_OF_OTHERS: readonly Check[] = [
  ...RESOLUTION_OF_TOOLS,
  steady('getModels', 'models'),
]
