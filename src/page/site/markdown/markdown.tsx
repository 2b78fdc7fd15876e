export function Markdown({ text }: { readonly text: string; readonly isStreaming: boolean }) {
  return <p class="said">{text}</p>
}
