import { useEffect, useState } from 'preact/hooks'
import { Drawer, type Tab, Tabs, useLoaded } from '../drawer/index.ts'
import type { Client } from '../server/index.ts'
import { t } from '../words/index.ts'
import type { Explained, Tool } from './documents.ts'
import { PluginsPanel } from './plugins-panel.tsx'
import { ToolsPanel } from './tools-panel.tsx'
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
  const plugins = useLoaded(
    (signal) =>
      client.json<{ readonly plugins: readonly Explained[] }>(`api/explain?${query}`, { signal }),
    query,
  )
  const tools = useLoaded(
    (signal) =>
      client.json<{ readonly tools: readonly Tool[] }>(`api/tools?all&${query}`, { signal }),
    query,
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
