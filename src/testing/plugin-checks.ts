import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { refuseMisspelled, settle } from '@braidwork/core/internal'
import { type Message, type StreamEvent, textOf } from '@braidwork/plugin'
import { faultOfRun } from './feature-run.ts'
import { inLanguageOf, SIGNAL_ADVICE } from './language.ts'
import { takesTools } from './takes-tools.ts'
import { tryCalls } from './tool-trial.ts'
import { PluginFault, TRIAL_OPTIONS, Trial, type TrialOptions } from './trial.ts'

/** A check of a plugin: a name for the test, and a function that throws if the check fails. */
export interface PluginCheck {
  readonly name: string
  readonly run: () => Promise<void>
}

/** The result of a check. `fault` says what is wrong and what to do. */
export interface PluginCheckOutcome {
  readonly name: string
  readonly fault?: string
}

/** Seconds within which a cancelled request must end, and a host must close. */
const PATIENCE = 2
/** Seconds that a model may take until its first event. */
const FIRST_WORD = 20
const CANCEL = 'cancelled by the check'

const CHECKS: readonly (readonly [name: string, check: (trial: Trial) => Promise<void>])[] = [
  ['loads without a diagnostic', async () => undefined],
  ['is on for its config', isOn],
  ['gives the same tags and models each time', saysTheSame],
  ['has settings that a form can show', hasForm],
  ['offers tools with usable schemas', whereOn(offersTools)],
  ['answers its tool calls', whereOn(tryCalls)],
  ['sends the tools that it is offered', whereOn(takesTools)],
  ['changes no argument, and gives the same messages in send and stream', whereOn(endsAlike)],
  ['streams the text of its messages', whereOn(streamsItsText)],
  ['ends at once when it is cancelled', whereOn(isCancelled)],
  ['takes part in a run of an agent', whereOn(takesPartInRun)],
]

/**
 * The checks for a plugin (an object, or the path or name of a TypeScript or Python plugin), for any test runner:
 * `for (const { name, run } of pluginChecks(plugin)) it(name, run)`.
 * @throws {HostError} OPTION_INVALID for a misspelled option
 */
export function pluginChecks(plugin: unknown, options: TrialOptions = {}): readonly PluginCheck[] {
  refuseMisspelled('checkPlugin', options, TRIAL_OPTIONS)
  return CHECKS.map(([name, check]) => ({ name, run: () => runCheck(plugin, options, check) }))
}

/**
 * Runs all checks one after the other without a test runner.
 * @returns the outcome of each
 * @throws {HostError} OPTION_INVALID for a misspelled option, such as `call`, with which no call would be tried
 */
export async function checkPlugin(
  plugin: unknown,
  options: TrialOptions = {},
): Promise<readonly PluginCheckOutcome[]> {
  const outcomes: PluginCheckOutcome[] = []
  for (const { name, run } of pluginChecks(plugin, options)) {
    const fault = await run().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    outcomes.push(fault === undefined ? { name } : { name, fault })
  }
  return outcomes
}

async function runCheck(
  plugin: unknown,
  options: TrialOptions,
  check: (trial: Trial) => Promise<void>,
): Promise<void> {
  const trial = await Trial.open(plugin, options)
  try {
    await check(trial)
  } catch (error) {
    throw error instanceof PluginFault ? inLanguageOf(trial.plugin, error) : error
  } finally {
    await settle(trial.close(), { seconds: PATIENCE })
  }
  const [complaint] = trial.logged
  if (complaint !== undefined) throw new PluginFault(complaint)
}

async function isOn({ host, plugin, config }: Trial): Promise<void> {
  const { provider, enabled } = await host.resolve(config)
  const on = [provider, ...enabled.extensions, ...enabled.features, ...enabled.tools]
  if (on.includes(plugin.name)) return
  const [explanation] = await host.explain(config, { plugin: plugin.name })
  const missing = (explanation?.tags ?? []).filter(({ present }) => !present).map(({ tag }) => tag)
  const lacks =
    missing.length > 0 ? ` It lacks ${missing.map((tag) => `"${tag}"`).join(', ')}.` : ''
  throw new PluginFault(
    `"${plugin.name}" is off (${explanation?.rule}).${lacks} Pass the tags of the provider in "tags", or other plugins in "beside".`,
  )
}

/** Makes a check fail if the plugin is off, since a plugin that is off would pass every check. */
function whereOn(check: (trial: Trial) => Promise<void>) {
  return async (trial: Trial): Promise<void> => {
    await isOn(trial)
    await check(trial)
  }
}

async function saysTheSame({ host, plugin, config }: Trial): Promise<void> {
  const first = await host.resolve(config)
  const again = await host.resolve(config)
  const isSame =
    isDeepStrictEqual([...first.tags], [...again.tags]) &&
    isDeepStrictEqual(first.models, again.models) &&
    isDeepStrictEqual(first.enabled, again.enabled)
  if (isSame) return
  throw new PluginFault(
    `Asked twice with one config, "${plugin.name}" gives different tags, models or "isEnabled" results. They must depend only on the config.`,
  )
}

async function hasForm({ host, plugin, config }: Trial): Promise<void> {
  const { diagnostics } = await host.uiSchema(config)
  const own = diagnostics.find((one) => one.plugin === plugin.name && one.level !== 'info')
  if (own) throw new PluginFault(own.message)
}

async function takesPartInRun(trial: Trial): Promise<void> {
  if (trial.plugin.kind !== 'feature') return
  const fault = await faultOfRun(trial)
  if (fault !== undefined) throw new PluginFault(fault)
}

async function offersTools({ host, plugin, config }: Trial): Promise<void> {
  if (plugin.kind !== 'tool') return
  const tools = await host.toolSchemas(config)
  if (tools.every((tool) => tool.plugin !== plugin.name))
    throw new PluginFault(`"${plugin.name}" offers no tool. Return schemas from "getToolSchemas".`)
  await host.toolSchemas(config, { for: 'openai-strict' })
}

async function endsAlike(trial: Trial): Promise<void> {
  const sent = await trial.send()
  const streamed = await trial.stream().result
  if (streamed.status !== 'done')
    throw new PluginFault(`The stream ${streamed.status}: ${streamed.error?.message}`)
  if (isDeepStrictEqual(sent.messages, streamed.messages)) return
  throw new PluginFault(
    `send and stream end in different messages. Change finals in the same way as events.\nsend: ${shown(sent.messages)}\nstream: ${shown(streamed.messages)}`,
  )
}

async function streamsItsText(trial: Trial): Promise<void> {
  const stream = trial.stream()
  let streamed = ''
  for await (const event of stream) if (event.type === 'text-delta') streamed += event.delta
  const { messages, error } = await stream.result
  if (error) throw new PluginFault(`The stream failed with ${error.code}: ${error.message}`)
  const whole = messages.map(textOf).join('')
  if (streamed === whole) return
  throw new PluginFault(
    `The streamed text differs from the text in the messages. Apply a change of text to both: "fromNative" receives events and messages.\nstreamed: ${shown(streamed)}\nmessages: ${shown(whole)}`,
  )
}

/** Schedules a cancellation. The returned function unschedules it. */
type Moment = (cancel: () => void) => () => void

/** Cancels while the first event is pending, since a short answer ends soon. */
const atOnce: Moment = (cancel) => {
  const immediate = setImmediate(cancel)
  return () => clearImmediate(immediate)
}

/** Cancels after a delay, when the plugin is waiting for something, possibly in another process. */
const inAWait: Moment = (cancel) => {
  const timer = setTimeout(cancel, 250)
  return () => clearTimeout(timer)
}

async function isCancelled(trial: Trial): Promise<void> {
  for (const moment of [atOnce, inAWait]) await endsWhenCancelled(trial, moment)
}

async function endsWhenCancelled(trial: Trial, moment: Moment): Promise<void> {
  const controller = new AbortController()
  const limit = { seconds: PATIENCE }
  const end = endOf(trial.stream(controller.signal), controller, moment)
  const slow = setTimeout(() => controller.abort(CANCEL), FIRST_WORD * 1000)
  await Promise.race([end, once(controller.signal, 'abort')])
  clearTimeout(slow)
  // If there is no ending within the limit, the error below reports it.
  const ending = await settle(end, limit).catch(() => undefined)
  if (ending?.type === 'error')
    throw new PluginFault(`The stream failed with ${ending.error.code}: ${ending.error.message}`)
  const closed = settle(endOfAll(trial.pending), limit)
  const isOver = await closed.then(
    () => ending !== undefined,
    () => false,
  )
  if (isOver) return
  const what = ending ? `"stream" of "${trial.plugin.name}" is still waiting` : 'it has not ended'
  throw new PluginFault(
    `${PATIENCE} seconds after the request was cancelled ${what}. ${SIGNAL_ADVICE}`,
  )
}

/**
 * Waits until all plugin streams are closed. A stream that is between two chunks closes after the request's last event.
 */
async function endOfAll(pending: Trial['pending']): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.allSettled(pending)
  } while (pending.size > 0)
}

/** Cancels after the first event from a plugin. @returns the last event */
async function endOf(
  stream: AsyncIterable<StreamEvent>,
  controller: AbortController,
  moment: Moment,
): Promise<StreamEvent | undefined> {
  let last: StreamEvent | undefined
  let takeBack: () => void = () => undefined
  for await (const event of stream) {
    if (last?.type === 'start') takeBack = moment(() => controller.abort(CANCEL))
    last = event
  }
  takeBack()
  return last
}

function shown(value: string | readonly Message[]): string {
  return JSON.stringify(value).slice(0, 2000)
}
