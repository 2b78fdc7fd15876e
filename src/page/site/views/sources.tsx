import type { UiPart } from '../message/index.ts'
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
            {isWeb(url) ? (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {title ?? url}
              </a>
            ) : (
              (title ?? url ?? sourceId)
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

function isWeb(url: string | undefined): url is string {
  return url !== undefined && /^https?:\/\//i.test(url)
}
