import { conversationKey, type Storage } from '@braidwork/agent'
import type { ConfigLayer } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'

/** The values of a conversation are stored by the names of plugins, of which none has this name. */
const NAMESPACE = 'server:settings'
const KEY = 'layer'

type Stored = Pick<Storage, 'settings' | 'storageOf'>

/** Whose settings: those of a caller for all its chats, or for one conversation. */
export interface SettingsPlace {
  readonly owner: string
  readonly conversationId?: string | undefined
}

/** The settings that a caller stored at one place. */
export async function settingsAt(
  storage: Stored,
  { owner, conversationId }: SettingsPlace,
): Promise<ConfigLayer> {
  const layer =
    conversationId === undefined
      ? await storage.settings.load(owner)
      : await valuesOf(storage, owner, conversationId).get(KEY)
  return (layer ?? {}) as ConfigLayer
}

/**
 * The settings that apply to a chat: those of its caller, and those of the conversation over them.
 * @param tried used in place of those that are stored at the place
 */
export async function settingsFor(
  storage: Stored,
  place: SettingsPlace,
  tried?: ConfigLayer,
): Promise<ConfigLayer> {
  const { owner, conversationId } = place
  const there = tried ?? (await settingsAt(storage, place))
  if (conversationId === undefined) return there
  return stackLayers(await settingsAt(storage, { owner }), there)
}

/** Stores the settings of a place. Those of a conversation are deleted with it. */
export async function saveSettings(
  storage: Stored,
  { owner, conversationId }: SettingsPlace,
  {
    layer,
    now,
  }: { readonly layer: ConfigLayer & { readonly [key: string]: unknown }; readonly now: number },
): Promise<void> {
  if (conversationId === undefined) await storage.settings.save(owner, layer, now)
  else await valuesOf(storage, owner, conversationId).set(KEY, layer)
}

export async function deleteSettings(
  storage: Stored,
  { owner, conversationId }: SettingsPlace,
): Promise<void> {
  if (conversationId === undefined) await storage.settings.delete(owner)
  else await valuesOf(storage, owner, conversationId).delete(KEY)
}

/** Gives a new conversation the settings of another one. */
export async function copySettings(
  storage: Stored,
  owner: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const layer = await valuesOf(storage, owner, from).get(KEY)
  if (layer !== undefined) await valuesOf(storage, owner, to).set(KEY, layer)
}

function valuesOf(storage: Stored, owner: string, conversationId: string) {
  return storage.storageOf(NAMESPACE, conversationKey(owner, conversationId))
}
