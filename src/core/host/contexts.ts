import type { ContextItem, ModelInfo, PartialEvent, Settings } from '@braidwork/plugin'
import { type ContextOf, createContexts } from '@braidwork/plugin/internal'
import { givenSettings } from '../config/index.ts'
import { recordedView } from '../recording.ts'
import type { Resolved } from '../resolve/index.ts'
import { checkedStorage } from './checked-storage.ts'
import { type HostCore, maskedLog } from './core.ts'
import { reportOf } from './reports.ts'

/** The values from which the contexts of a request, or of a hook outside a request, are made. */
export interface ContextParts {
  readonly core: HostCore
  readonly resolved: Pick<Resolved, 'config' | 'tags'>
  readonly modelInfo: ModelInfo
  readonly signal: AbortSignal
  readonly scope: () => AbortSignal
  readonly requestId?: string | undefined
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
  /** Receives warnings, with secrets masked. By default they go to the log. */
  readonly warn?: (warning: string) => void
  /** Receives events. By default they are dropped. */
  readonly emit?: (event: PartialEvent) => void
  /** Receives the ids that a model API gives its requests. By default they are dropped. */
  readonly noteUpstreamId?: (id: string) => void
  /** Receives what plugins report of a request, with secrets masked. By default it is dropped. */
  readonly report?: (item: ContextItem) => void
}

/** Makes contexts in which a plugin cannot read other plugins' secrets, and which mask secrets in all output. */
export function hostContexts(parts: ContextParts): ContextOf {
  const { core, resolved, modelInfo, signal, scope, requestId, conversationId, runId } = parts
  const { config, tags } = resolved
  const log = maskedLog(core, config)
  const mask = core.secrets.textMask(config)
  return createContexts({
    signal,
    scope,
    log,
    warn: (plugin, message) =>
      parts.warn
        ? parts.warn(`${plugin}: ${mask(message)}`)
        : log({ level: 'warn', message, plugin }),
    emit: (event) => parts.emit?.(event),
    noteUpstreamId: parts.noteUpstreamId,
    report: (plugin, report) => parts.report?.(reportOf(plugin, report, mask)),
    configOf: (plugin) => core.secrets.viewOf(config, plugin),
    settingsOf: (plugin) => settingsOf(parts, plugin),
    tags,
    modelInfo,
    requestId,
    conversationId,
    runId,
    caller: core.caller,
    protectedFiles: core.protectedFiles,
    storageOf: (plugin) => checkedStorage(core.storage.storageOf(plugin, conversationId), plugin),
  })
}

/** The settings of a plugin. What it reads of them is recorded where reads of its config are. */
function settingsOf({ core, resolved: { config } }: ContextParts, name: string): Settings {
  const plugin = core.registry.named(name)
  const settings = plugin ? givenSettings(plugin, config) : (config.settings?.[name] ?? {})
  const watched = recordedView(core.secrets.viewOf(config, name))
  return watched ? watched.recording.view(settings, ['settings', name]) : settings
}
