import { HOOKS } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Asked, Harness } from '../harness/index.ts'
import { type Check, done, fault, needsHook, same, unjudged } from './check.ts'

const BEFORE = ['init', 'editMessages', 'toNative', 'initializeRequest']
const ABOUT = 'hooks.md#hooks'

/** The names of the hooks that a request ran, without those that choose plugins. */
function ranIn({ calls }: Asked): readonly string[] {
  const chosen = ['getModels', 'getTags', 'isEnabled', 'getModelInfo']
  return calls.map(({ hook }) => hook).filter((hook) => !chosen.includes(hook))
}

function phaseOf(call: { readonly args: readonly unknown[] }): unknown {
  const context = call.args.at(-1) as { readonly phase?: unknown } | undefined
  return context?.phase
}

function ownOf(harness: Harness, hooks: readonly string[]): readonly string[] {
  const kind = harness.trial.plugin.kind
  const table: { readonly [hook: string]: { readonly kinds: readonly string[] } } = HOOKS
  return hooks.filter((hook) => harness.has(hook) && table[hook]?.kinds.includes(kind))
}

const prepares = (mode: 'send' | 'stream'): Check => ({
  name: `runs each hook once before ${mode === 'send' ? 'a whole answer' : 'a stream'}, in order`,
  about: ABOUT,
  async run(harness) {
    const ran = ranIn(done(await harness.ask(mode))).filter((hook) => BEFORE.includes(hook))
    same(ran, ownOf(harness, BEFORE), 'Other hooks ran before the request than the plugin has.')
  },
})

const finishes = (mode: 'send' | 'stream'): Check => ({
  name: `runs each hook once after ${mode === 'send' ? 'a whole answer' : 'a stream'}, in order`,
  about: ABOUT,
  async run(harness) {
    const asked = done(await harness.ask(mode))
    const ran = asked.calls
      .filter((call) => call.hook === 'finalize' || call.hook === 'fromNative')
      .filter((call) => phaseOf(call) !== 'partials')
      .map(({ hook }) => hook)
    same(ran, ownOf(harness, ['finalize', 'fromNative']), 'Other hooks ran after the answer.')
  },
})

const chunks: Check = {
  name: 'runs processChunk for each chunk of a stream',
  about: 'hooks.md#processchunk',
  async run(harness) {
    needsHook(harness, 'processChunk')
    const asked = done(await harness.ask('stream'))
    const ran = asked.calls.filter(({ hook }) => hook === 'processChunk').length
    if (ran === 0 && harness.has('stream'))
      fault('The stream had chunks, and "processChunk" never ran.')
  },
}

const dryRun: Check = {
  name: 'prepares a request without sending it',
  about: 'program.md#what-each-plugin-changes',
  async run(harness) {
    done(await harness.ask('stream'))
    const { host, config, options } = harness.trial
    const from = harness.calls.length
    await host.dryRun(config, options.messages ?? 'Hello')
    const ran = harness.calls.slice(from).map(({ hook }) => hook)
    const late = ran.find((hook) => ['call', 'stream', 'processChunk', 'finalize'].includes(hook))
    if (late !== undefined) fault(`"${late}" ran, although nothing was sent.`)
  },
}

const steadyDryRun: Check = {
  name: 'prepares the same request each time',
  about: 'hooks.md#initializerequest',
  async run(harness) {
    done(await harness.ask('stream'))
    const { host, config, options } = harness.trial
    const messages = options.messages ?? 'Hello'
    // In conversations of their own, because a plugin may remember what was said before in one.
    const { native } = await host.dryRun(config, messages, { conversationId: 'prepared-once' })
    const again = await host.dryRun(config, messages, { conversationId: 'prepared-again' })
    same(
      again.native,
      native,
      'The same messages make another native request in a second conversation. Keep what a conversation needs in "context.storage".',
    )
  },
}

const isQuiet: Check = {
  name: 'runs no hook of a request while it is disabled',
  about: 'hooks.md#isenabled',
  async run(harness) {
    const { host, plugin, config } = harness.trial
    const from = harness.calls.length
    const off = { ...config, disabled_plugins: [plugin.name], enabled_plugins: [] }
    await host.send(off, 'Hello').catch((error: unknown) => unjudged(messageOf(error)))
    const ran = harness.calls.slice(from).map(({ hook }) => hook)
    same(
      ran.filter((hook) => !hook.startsWith('get') && hook !== 'isEnabled'),
      [],
      'Hooks ran although the plugin is disabled.',
    )
  },
}

const COMMON = [prepares('send'), prepares('stream'), finishes('send'), finishes('stream')]
export const HOOKS_OF_PROVIDERS: readonly Check[] = [...COMMON, chunks, dryRun, steadyDryRun]
export const HOOKS_OF_EXTENSIONS: readonly Check[] = [
  ...COMMON,
  chunks,
  dryRun,
  steadyDryRun,
  isQuiet,
]
export const HOOKS_OF_FEATURES: readonly Check[] = [...COMMON, dryRun, steadyDryRun, isQuiet]
export const HOOKS_OF_TOOLS: readonly Check[] = [dryRun, steadyDryRun, isQuiet]
