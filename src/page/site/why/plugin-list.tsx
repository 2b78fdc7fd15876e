import { t } from '../words/index.ts'
import { type Explained, KINDS, STATES, stateOf } from './documents.ts'
import { reasonText } from './reason.ts'
import { InlineSign, stateText } from './state.tsx'
import { type Return, useReturn } from './use-return.ts'
import './lists.css'

export interface PluginsProps {
  readonly plugins: readonly Explained[]
  readonly onChoose: (plugin: string) => void
  readonly back: Return
}

/** All plugins by kind, each with its reason. */
export function PluginList({ plugins, onChoose, back }: PluginsProps) {
  const list = useReturn<HTMLDivElement>(back)
  return (
    <div ref={list}>
      {KINDS.map((kind) => {
        const own = plugins.filter((plugin) => plugin.kind === kind)
        const sorted = STATES.flatMap((state) => own.filter((one) => stateOf(one) === state))
        return own.length === 0 ? null : (
          <section key={kind} class="why-group">
            <h3>{t(`whyKinds_${kind}`)}</h3>
            <ul class="why-list">
              {sorted.map((one) => (
                <li key={one.plugin}>
                  <PluginRow explained={one} onChoose={onChoose} />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

interface PluginRowProps {
  readonly explained: Explained
  readonly onChoose: (plugin: string) => void
}

function PluginRow({ explained, onChoose }: PluginRowProps) {
  const { plugin } = explained
  const state = stateOf(explained)
  return (
    <button type="button" class="why-row" data-plugin={plugin} onClick={() => onChoose(plugin)}>
      <InlineSign state={state} />
      <span class="why-row-name">{plugin}</span>
      <span class="why-row-state">{stateText(state)}</span>
      <span class="why-row-reason">{reasonText(explained)}</span>
    </button>
  )
}
