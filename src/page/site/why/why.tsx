import { useEffect, useState } from 'preact/hooks'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { Explained, Tool } from './documents.ts'
import { Drawer } from './drawer.tsx'
import { PluginsPanel } from './plugins-panel.tsx'
import { type Tab, Tabs } from './tabs.tsx'
import { ToolsPanel } from './tools-panel.tsx'
import { useLoaded } from './use-loaded.ts'
import './why.css'

interface WhyProps {
  readonly client: Client
  /** A published model or an agent; the server's default if undefined. */
  readonly agent: string | undefined
  readonly onClose: () => void
}

/** A drawer that explains which plugins and tools an agent has, and why. */
export function Why({ client, agent, onClose }: WhyProps) {
  const [tab, setTab] = useState('plugins')
  const [chosen, setChosen] = useState<string>()
  const query = agent === undefined ? '' : `agent=${encodeURIComponent(agent)}`
  const plugins = useLoaded<{ readonly plugins: readonly Explained[] }>(
    client,
    query ? `api/explain?${query}` : 'api/explain',
  )
  const tools = useLoaded<{ readonly tools: readonly Tool[] }>(
    client,
    query ? `api/tools?all&${query}` : 'api/tools?all',
  )
  useEffect(() => setChosen(undefined), [agent])

  const open = (plugin: string) => {
    setChosen(plugin)
    setTab('plugins')
  }
  const tabs: readonly Tab[] = [
    {
      id: 'plugins',
      title: t('whyPlugins'),
      count: countOf(plugins.value?.plugins.map(({ on }) => on)),
      panel: () => <PluginsPanel loaded={plugins} chosen={chosen} onChoose={setChosen} />,
    },
    {
      id: 'tools',
      title: t('whyTools'),
      count: countOf(tools.value?.tools.map(({ offered }) => offered)),
      panel: () => <ToolsPanel loaded={tools} onChoose={open} />,
    },
  ]
  return (
    <Drawer title={t('whyTitle')} note={agent && t('whyAgent', { agent })} onClose={onClose}>
      <Tabs tabs={tabs} chosen={tab} onChoose={setTab} />
    </Drawer>
  )
}

function countOf(flags: readonly boolean[] | undefined): string | undefined {
  if (!flags) return undefined
  return t('whyCount', { some: flags.filter(Boolean).length, all: flags.length })
}
