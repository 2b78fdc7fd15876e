import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../words/index.ts'
import type { Applying } from './apply.tsx'
import { Changes } from './changes.tsx'
import { type Explained, type ExplainedTag, stateOf } from './documents.ts'
import { reasonText, roundText } from './reason.ts'
import { InlineSign, kindText, stateText } from './state.tsx'
import './detail.css'

interface PluginDetailProps {
  readonly explained: Explained
  readonly plugins: readonly Explained[]
  readonly onChoose: (plugin: string) => void
  readonly onClose: () => void
  readonly applying: Applying
}

/** Why one plugin is on or off, and what would turn it on. */
export function PluginDetail(props: PluginDetailProps) {
  const { explained, plugins, onChoose, onClose, applying } = props
  const { plugin, kind, tags, on } = explained
  const state = stateOf(explained)
  const heading = useRef<HTMLHeadingElement>(null)
  // Another plugin takes the focus, too.
  useLayoutEffect(() => heading.current?.focus(), [plugin])
  return (
    <article class="why-detail">
      <button type="button" class="why-back" onClick={onClose}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M10 3.5L5.5 8l4.5 4.5" />
        </svg>
        {t('whyAll')}
      </button>
      <h3 ref={heading} tabIndex={-1}>
        {plugin}
      </h3>
      <p class="why-facts">
        <span class="why-fact">
          <InlineSign state={state} />
          {stateText(state)}
        </span>
        <span>{kindText(kind)}</span>
        <span>{roundText(explained)}</span>
      </p>
      <p class="why-reason">{reasonText(explained)}</p>
      <section>
        <h4>{t('whyTags')}</h4>
        {tags.length === 0 ? <p class="drawer-note">{t('whyNoTags')}</p> : null}
        <ul class="why-tags">
          {tags.map((tag) => (
            <li key={`${tag.need} ${tag.tag}`}>
              <TagRow explained={tag} plugins={plugins} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      </section>
      {on || explained.why ? null : <Changes explained={explained} applying={applying} />}
    </article>
  )
}

interface TagRowProps {
  readonly explained: ExplainedTag
  readonly plugins: readonly Explained[]
  readonly onChoose: (plugin: string) => void
}

function TagRow({ explained, plugins, onChoose }: TagRowProps) {
  const { tag, need, present, providedBy, wouldBeProvidedBy } = explained
  const isFine = present === (need === 'required')
  const absence = need === 'required' ? 'whyMissing' : 'whyAbsent'
  const names = { plugins, onChoose }
  return (
    <>
      <code class="why-tag-name">{tag}</code>
      <span>{t(need === 'required' ? 'whyRequired' : 'whyForbidden')}</span>
      <span class={isFine ? 'why-fine' : 'why-fault'}>{t(present ? 'whyPresent' : absence)}</span>
      <span class="why-sources">
        <Sources word={t('whyProvidedBy')} sources={providedBy} {...names} />
        <Sources word={t('whyWouldBeProvidedBy')} sources={wouldBeProvidedBy} {...names} />
        {providedBy.length + wouldBeProvidedBy.length === 0 ? <span>{t('whyNobody')}</span> : null}
      </span>
    </>
  )
}

interface SourcesProps extends Omit<TagRowProps, 'explained'> {
  readonly word: string
  readonly sources: readonly string[]
}

/** The plugins that provide a tag, which can be opened. */
function Sources({ word, sources, plugins, onChoose }: SourcesProps) {
  if (sources.length === 0) return null
  const isKnown = (name: string) => plugins.some(({ plugin }) => plugin === name)
  return (
    <span>
      {word}{' '}
      {sources.map((name, at) => (
        <span key={name}>
          {at > 0 ? ', ' : ''}
          {isKnown(name) ? (
            <button type="button" class="why-link" onClick={() => onChoose(name)}>
              {name}
            </button>
          ) : (
            name
          )}
        </span>
      ))}
    </span>
  )
}
