import { type Loaded, Waiting } from '../drawer/index.ts'
import { toolReason } from '../reasons/index.ts'
import { t } from '../words/index.ts'
import { ApplyButton, type Applying } from './apply.tsx'
import type { Explained, Tool } from './documents.ts'
import { InlineSign } from './state.tsx'
import './lists.css'

interface ToolsPanelProps {
  readonly loaded: Loaded<{ readonly tools: readonly Tool[] }>
  /** Opens the plugin of a tool. */
  readonly onChoose: (plugin: string) => void
  readonly plugins: readonly Explained[]
  readonly applying: Applying
}

/** The tools that the model is offered, and the others with the reason. */
export function ToolsPanel({ loaded, ...about }: ToolsPanelProps) {
  return (
    <Waiting loaded={loaded}>
      {({ tools }) => {
        if (tools.length === 0) return <p class="drawer-note">{t('whyNoTools')}</p>
        const offered = tools.filter((tool) => tool.offered)
        const others = tools.filter((tool) => !tool.offered)
        return (
          <>
            <section class="why-group">
              <h3>{t('whyOffered')}</h3>
              {offered.length === 0 ? <p class="drawer-note">{t('whyNoneOffered')}</p> : null}
              <ToolList tools={offered} {...about} />
            </section>
            {others.length === 0 ? null : (
              <section class="why-group">
                <h3>{t('whyNotOffered')}</h3>
                <ToolList tools={others} {...about} />
              </section>
            )}
          </>
        )
      }}
    </Waiting>
  )
}

interface ToolListProps extends Omit<ToolsPanelProps, 'loaded'> {
  readonly tools: readonly Tool[]
}

function ToolList({ tools, ...about }: ToolListProps) {
  return (
    <ul class="why-list">
      {tools.map((tool) => (
        <li key={`${tool.plugin} ${tool.tool_name}`} class="why-tool">
          <ToolCard tool={tool} {...about} />
        </li>
      ))}
    </ul>
  )
}

interface ToolCardProps extends Omit<ToolsPanelProps, 'loaded'> {
  readonly tool: Tool
}

function ToolCard({ tool, onChoose, plugins, applying }: ToolCardProps) {
  const { tool_name: name, plugin, description, policy, offered, safety } = tool
  const reason = toolReason(tool)
  const [change] = (!offered && plugins.find((one) => one.plugin === plugin)?.change) || []
  return (
    <>
      <div class="why-tool-head">
        <InlineSign state={offered ? 'on' : 'off'} />
        <code class="why-tool-name">{name}</code>
        {plugin === undefined ? null : (
          <span class="why-tool-from">
            {t('whyFrom')}{' '}
            <button type="button" class="why-link" onClick={() => onChoose(plugin)}>
              {plugin}
            </button>
          </span>
        )}
        <span class="why-chips">
          {safety.is_read_only ? <span class="why-chip">{t('whyReadOnly')}</span> : null}
          {safety.is_destructive ? (
            <span class="why-chip why-chip-warn">{t('whyDestructive')}</span>
          ) : null}
          <span class={`why-chip why-chip-${policy}`}>{t(`whyPolicy_${policy}`)}</span>
        </span>
      </div>
      {reason === undefined ? null : <p class="why-tool-reason">{reason}</p>}
      {change === undefined ? null : <ApplyButton edits={change} applying={applying} />}
      {description === undefined ? null : <p class="why-tool-text">{description}</p>}
    </>
  )
}
