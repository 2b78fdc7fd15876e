import { useRef, useState } from 'preact/hooks'
import { type Loaded, ViewSwitch, Waiting } from '../drawer/index.ts'
import { t } from '../words/index.ts'
import type { Applying } from './apply.tsx'
import type { Explained } from './documents.ts'
import { Picture } from './picture.tsx'
import { PluginDetail } from './plugin-detail.tsx'
import { PluginList } from './plugin-list.tsx'

interface PluginsPanelProps {
  readonly loaded: Loaded<{ readonly plugins: readonly Explained[] }>
  readonly chosen: string | undefined
  readonly onChoose: (plugin: string | undefined) => void
  readonly applying: Applying
}

type View = 'picture' | 'list'
const NARROW = '(max-width: 40rem)'

/** All plugins as a picture or a list, or one of them. */
export function PluginsPanel({ loaded, chosen, onChoose, applying }: PluginsPanelProps) {
  const [view, setView] = useState<View>(() => (matchMedia(NARROW).matches ? 'list' : 'picture'))
  const back = useRef<string | null>(null)
  const close = () => {
    back.current = chosen ?? null
    onChoose(undefined)
  }
  return (
    <Waiting loaded={loaded}>
      {({ plugins }) => {
        const one = plugins.find(({ plugin }) => plugin === chosen)
        if (one)
          return (
            <PluginDetail
              explained={one}
              plugins={plugins}
              onChoose={onChoose}
              onClose={close}
              applying={applying}
            />
          )
        if (plugins.length === 0) return <p class="drawer-note">{t('whyNone')}</p>
        const props = { plugins, onChoose, back }
        return (
          <>
            <ViewChoice view={view} onChange={setView} />
            {view === 'picture' ? <Picture {...props} /> : <PluginList {...props} />}
          </>
        )
      }}
    </Waiting>
  )
}

interface ViewChoiceProps {
  readonly view: View
  readonly onChange: (view: View) => void
}

function ViewChoice({ view, onChange }: ViewChoiceProps) {
  return (
    <div class="why-views">
      <p>
        {t('whyHint')} {view === 'picture' ? t('whyKeys') : null}
      </p>
      <ViewSwitch
        views={[
          ['picture', t('whyPicture')],
          ['list', t('whyList')],
        ]}
        view={view}
        onChange={onChange}
      />
    </div>
  )
}
