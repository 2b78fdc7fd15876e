import { planWith } from '@braidwork/agent/internal'
import type { ConfigLayer } from '@braidwork/core'
import { checkedCaller, stackLayers } from '@braidwork/core/internal'
import { type Caller, pointerOf } from '@braidwork/plugin'
import { callerOf, type Identity } from '../identity.ts'
import { ownStorage } from '../own-storage.ts'
import { type AskedRequest, type Decided, decide } from '../per-request.ts'
import { withoutHostTools } from '../plain-model.ts'
import type { RunOrder } from '../run-order.ts'
import { callerFaults, NEUTRAL, settingsFor, storedFault } from '../settings/index.ts'
import { type CallableTools, callableTools, NO_TOOLS } from './agent-tools.ts'
import { withoutAsking } from './ask-policy.ts'
import type { PreparedWork, RunWorkParts } from './run-parts.ts'

/** What the plan of a run depends on. */
export type PlannedOrder = Pick<
  RunOrder,
  'agent' | 'protocol' | 'settings' | 'asks' | 'hostTools' | 'decided' | 'call'
>

/** The most bytes of a result that a call by a client keeps whole. The host stores no larger one. */
const WHOLE_RESULT = 16 << 20

/** Whether settings of a caller set any of plugins, or switch plugins. */
function touchesPlugins(own: ConfigLayer): boolean {
  return Object.keys(own).some((key) => !NEUTRAL.includes(pointerOf([key])))
}

/** Plans runs: what the agent, the server's functions, the caller and the request say about the config of each. */
export class RunPlans {
  readonly #parts: RunWorkParts

  constructor(parts: RunWorkParts) {
    this.#parts = parts
  }

  /**
   * Asks the server's functions about a request.
   * @throws {HostError} OPTION_INVALID if the caller's data cannot be stored, and the errors of `decide`
   */
  async decide(
    identity: Identity,
    request: AskedRequest,
  ): Promise<{ readonly caller: Caller; readonly decided: Decided }> {
    const caller = checkedCaller(callerOf(identity))
    return { caller, decided: await decide(this.#parts.perRequest ?? {}, caller, request) }
  }

  /**
   * Plans a leg of a run. What the agent decides holds in every protocol; a request only sets what it may.
   * @param conversationId the conversation whose settings apply, beside the caller's own
   * @throws {HostError} SETTINGS_INVALID if what the caller stored is not valid, and the errors of `Catalog.find`
   */
  async planFor(
    identity: Identity,
    order: PlannedOrder,
    conversationId?: string,
  ): Promise<Pick<PreparedWork, 'plan' | 'isToolless'>> {
    const { agent, settings, asks, protocol, decided = {}, call } = order
    const { host, catalog, askAllowedOn, storage, quotas } = this.#parts
    const own = asks ? await settingsFor(storage, { owner: identity.id, conversationId }) : {}
    const { plan, isPlain = false, host_tools } = await catalog.find(identity, agent)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const isToolless =
      isPlain || [host_tools, identity.host_tools, order.hostTools].includes('none')
    // No model reads the result of a given call, so nothing of it is left out.
    const limits = call ? { limits: { tool_result_bytes: WHOLE_RESULT } } : {}
    const layered =
      (requested: ConfigLayer, mine = own) =>
      (config: ConfigLayer) => {
        const policy = asks ? {} : withoutAsking(host, config, asked)
        const layers = [mine, decided.config ?? {}, requested, policy, limits]
        const whole = stackLayers(config, ...layers)
        return isToolless ? withoutHostTools(host, whole) : whole
      }
    // What a request sets, such as the format of the answer, is for the agent that it asks, and not for its delegates. But
    // nobody is to store what the client wants stored nowhere.
    const passed: ConfigLayer = settings.store === false ? { store: false } : {}
    const planned = planWith(plan, layered(settings), layered(passed))
    if (!plan.remote && touchesPlugins(own)) {
      const both = {
        config: planned.config,
        without: layered(settings, {})(plan.config),
        plugins: Object.keys(own.settings ?? {}),
      }
      const [fault] = await callerFaults(ownStorage(host, identity, quotas), both)
      if (fault) throw storedFault(host, fault)
    }
    return { plan: planned, isToolless }
  }

  /**
   * The tools that a client may call itself, as a run of the agent has them. An agent of another server has none.
   * @throws {HostError} the errors of `decide`, `planFor` and `host.open`
   */
  async toolsFor(identity: Identity, request: AskedRequest): Promise<CallableTools> {
    const { host, quotas } = this.#parts
    const { caller, decided } = await this.decide(identity, request)
    const { agent, protocol } = request
    const { plan } = await this.planFor(identity, {
      agent,
      protocol,
      settings: {},
      asks: true,
      decided,
    })
    return plan.remote ? NO_TOOLS : callableTools(ownStorage(host, identity, quotas, caller), plan)
  }
}
