import { useState } from 'preact/hooks'
import { CopyButton, focusPanel } from '../drawer/index.ts'
import { t } from '../words/index.ts'
import { ApplyButton, type Applying } from './apply.tsx'
import { changeConfig, changeText, configText } from './change.ts'
import type { Edit, Explained } from './documents.ts'
import { obstacleTexts } from './reason.ts'

/** How many changes are shown before a person asks for the others. */
const FIRST = 3

interface ChangesProps {
  readonly explained: Explained
  readonly applying: Applying
}

/** The smallest changes that turn a plugin on, or why there are none. */
export function Changes({ explained, applying }: ChangesProps) {
  const { change, obstacle, searched, plugin } = explained
  const [isWhole, setIsWhole] = useState(false)
  const all = change ?? []
  const shown = isWhole ? all : all.slice(0, FIRST)
  return (
    <section key={plugin}>
      <h4>{t(all.length > 1 ? 'whyChanges' : 'whyChange')}</h4>
      {shown.map((edits) => (
        <Change key={JSON.stringify(edits)} edits={edits} applying={applying} />
      ))}
      {all.length > shown.length ? (
        <button
          type="button"
          class="drawer-button"
          onClick={(event) => {
            focusPanel(event)
            setIsWhole(true)
          }}
        >
          {t('whyMoreChanges', { count: all.length - shown.length })}
        </button>
      ) : null}
      {all.length > 0 ? null : <p>{t(searched === undefined ? 'whyNoChange' : 'whyNoneYet')}</p>}
      {(obstacle ? obstacleTexts(obstacle) : []).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {obstacle && obstacle.reads.length > 0 ? (
        <ul class="why-reads">
          {obstacle.reads.map((pointer) => (
            <li key={pointer}>
              <code>{pointer}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {searched === undefined ? null : (
        <p class="drawer-note">{t('whySearched', { count: searched })}</p>
      )}
    </section>
  )
}

interface ChangeProps {
  readonly edits: readonly Edit[]
  readonly applying: Applying
}

/** One change, in words and as a config, which may be applied. */
function Change({ edits, applying }: ChangeProps) {
  const config = configText(changeConfig(edits))
  return (
    <div class="why-change">
      <ul>
        {edits.map((edit, at) => (
          <li key={changeText(edit)}>
            {at > 0 ? <span class="why-and">{t('whyAnd')} </span> : null}
            {changeText(edit)}
          </li>
        ))}
      </ul>
      <ApplyButton edits={edits} applying={applying} />
      <figure>
        <figcaption>
          {t('whyConfig')}
          <CopyButton text={config} />
        </figcaption>
        <pre>
          <code>{config}</code>
        </pre>
      </figure>
    </div>
  )
}
