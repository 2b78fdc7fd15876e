import type { Mark } from '../server/index.ts'

interface MarkedProps {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** A text with the words that were searched. */
export function Marked({ text, marks }: MarkedProps) {
  const ends = [0, ...marks.map(([, to]) => to)]
  return (
    <>
      {marks.map(([from, to], at) => (
        <>
          {text.slice(ends[at], from)}
          <mark>{text.slice(from, to)}</mark>
        </>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}
