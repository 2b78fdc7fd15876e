import { linkAddress } from '../markdown/index.ts'
import { type UiPart, unhidden } from '../message/index.ts'
import { t } from '../words/index.ts'

/** What an answer names as its sources. */
export function Sources({ parts }: { readonly parts: readonly UiPart[] }) {
  const sources = parts.flatMap((part) =>
    part.type === 'source-url' || part.type === 'source-document' ? [part] : [],
  )
  if (sources.length === 0) return null
  return (
    <details class="fold">
      <summary>
        {t('sources')} ({sources.length})
      </summary>
      <ol>
        {sources.map(({ sourceId, url, title }) => (
          <li key={sourceId}>
            <Source url={url} title={unhidden(title ?? url ?? sourceId)} />
          </li>
        ))}
      </ol>
    </details>
  )
}

interface SourceProps {
  readonly url: string | undefined
  readonly title: string
}

/** A link where the address is one that the page may open. */
function Source({ url = '', title }: SourceProps) {
  const address = linkAddress(url)
  if (address === undefined) return <>{title}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  )
}
