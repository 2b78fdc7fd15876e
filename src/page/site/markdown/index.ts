export { linkAddress } from './addresses.ts'
export { Markdown, type MarkdownProps } from './markdown.tsx'
