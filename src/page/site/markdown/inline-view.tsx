import type { ComponentChildren } from 'preact'
import { t } from '../words/index.ts'
import { FormulaView } from './formula-view.tsx'
import type { Inline, LinkNode, RemoteImageNode } from './nodes.ts'

/** What stands in a line: texts, links, images. */
export function Inlines({ nodes }: { readonly nodes: readonly Inline[] }) {
  return <>{nodes.map(inline)}</>
}

function inline(node: Inline): ComponentChildren {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'strong':
    case 'em':
    case 'del': {
      const Element = node.kind
      return <Element>{node.children.map(inline)}</Element>
    }
    case 'math':
      return <FormulaView math={node} />
    case 'break':
      return <br />
    case 'image':
      return <img src={node.address} alt={node.alt} loading="lazy" />
    case 'remote-image':
      return <RemoteImage image={node} />
    case 'link':
      return <Link link={node} />
  }
}

function Link({ link }: { readonly link: LinkNode }) {
  return (
    <a href={link.address} title={link.title} target="_blank" rel="noopener noreferrer">
      {link.children.map(inline)}
    </a>
  )
}

/** An image that is loaded where the reader asks for it: its host would learn who reads this. */
function RemoteImage({ image }: { readonly image: RemoteImageNode }) {
  return (
    <a
      class="markdown-remote"
      href={image.address}
      title={t('openImage')}
      target="_blank"
      rel="noopener noreferrer"
    >
      {t('image', { host: image.host })}
      {image.alt === '' ? '' : `: ${image.alt}`}
    </a>
  )
}
