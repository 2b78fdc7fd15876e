import type { ModelInfo, PartialEvent } from '@braidwork/plugin'
import { type ContextOf, createContexts } from '@braidwork/plugin/internal'
import type { Resolved } from '../resolve/index.ts'
import { type HostCore, maskedLog } from './core.ts'

/** What the contexts of one request, or of one door outside a request, are made of. */
export interface ContextParts {
  readonly core: HostCore
  readonly resolved: Pick<Resolved, 'config' | 'tags'>
  readonly modelInfo: ModelInfo
  readonly signal: AbortSignal
  readonly scope: () => AbortSignal
  readonly requestId?: string | undefined
  readonly conversationId?: string | undefined
  readonly runId?: string | undefined
  /** Where warnings go, secrets masked; to the log where nobody gathers them. */
  readonly warn?: (warning: string) => void
  /** Where events go; nowhere where nobody reads. */
  readonly emit?: (event: PartialEvent) => void
}

/** Contexts in which each plugin sees the config that it may see, and nothing leaves with a secret. */
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
    configOf: (plugin) => core.secrets.viewOf(config, plugin),
    tags,
    modelInfo,
    ...(requestId === undefined ? {} : { requestId }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(runId === undefined ? {} : { runId }),
    protectedFiles: core.protectedFiles,
    storageOf: (plugin) => core.storage.storageOf(plugin, conversationId),
  })
}
