import { useEffect, useState } from 'preact/hooks'
import { Drawer, type Tab, Tabs, useLoaded } from '../drawer/index.ts'
import { type Client, type Place, placeQuery } from '../server/index.ts'
import { t } from '../words/index.ts'
import { useApplying } from './apply.tsx'
import type { Explained, Tool } from './documents.ts'
import { PluginsPanel } from './plugins-panel.tsx'
import { ToolsPanel } from './tools-panel.tsx'
import './why.css'

interface WhyProps {
  readonly client: Client
  readonly place: Place
  /** The titles of models and agents, by their names. */
  readonly titles: ReadonlyMap<string, string>
  /** Gives the chat a conversation on the server, if it has none yet. @throws {ServerError} */
  readonly ensure: () => Promise<Place>
  readonly onClose: () => void
}

/** A drawer that explains which plugins and tools a chat has, and why. */
export function Why({ client, place, titles, ensure, onClose }: WhyProps) {
  const { agent } = place
  const note = agent && t('whyAgent', { agent: titles.get(agent) ?? agent })
  const [tab, setTab] = useState('plugins')
  const [chosen, setChosen] = useState<string>()
  const { plugins, tools } = useExplained(client, place)
  useEffect(() => setChosen(undefined), [agent])
  const onApplied = () => {
    plugins.retry()
    tools.retry()
  }
  const applying = useApplying({ client, place, ensure, onApplied })

  const open = (plugin: string) => {
    setChosen(plugin)
    setTab('plugins')
  }
  const tabs: readonly Tab[] = [
    {
      id: 'plugins',
      title: t('whyPlugins'),
      count: countOf(plugins.value?.plugins.map(({ on }) => on)),
      panel: () => (
        <PluginsPanel loaded={plugins} chosen={chosen} onChoose={setChosen} applying={applying} />
      ),
    },
    {
      id: 'tools',
      title: t('whyTools'),
      count: countOf(tools.value?.tools.map(({ offered }) => offered)),
      panel: () => (
        <ToolsPanel
          loaded={tools}
          plugins={plugins.value?.plugins ?? []}
          onChoose={open}
          applying={applying}
        />
      ),
    },
  ]
  return (
    <Drawer title={t('whyTitle')} note={note} onClose={onClose}>
      <Tabs tabs={tabs} chosen={tab} onChoose={setTab} />
    </Drawer>
  )
}

/** What the server says of the plugins and the tools of a chat. */
function useExplained(client: Client, place: Place) {
  const query = placeQuery(place)
  const plugins = useLoaded(
    (signal) =>
      client.json<{ readonly plugins: readonly Explained[] }>(`api/explain?${query}`, {
        signal,
        lists: ['plugins'],
      }),
    query,
  )
  const tools = useLoaded(
    (signal) =>
      client.json<{ readonly tools: readonly Tool[] }>(`api/tools?all&${query}`, {
        signal,
        lists: ['tools'],
      }),
    query,
  )
  return { plugins, tools }
}

function countOf(flags: readonly boolean[] | undefined): string | undefined {
  if (!flags) return undefined
  return t('whyCount', { some: flags.filter(Boolean).length, all: flags.length })
}
