import { useMemo, useState } from 'preact/hooks'
import { t } from '../words/index.ts'
import type { Explained } from './documents.ts'
import type { Edge } from './edges.ts'
import type { Box } from './geometry.ts'
import { type Layout, layOut } from './layout.ts'
import { Legend } from './legend.tsx'
import { nextBox } from './next-box.ts'
import type { PluginsProps } from './plugin-list.tsx'
import { RoundChoice } from './round-choice.tsx'
import { edgeThen, lastRoundOf, statesAfter } from './rounds.ts'
import { kindText, StateSign, stateText } from './state.tsx'
import { useReturn } from './use-return.ts'
import './picture.css'

/** The longest name that a box shows whole, and the shortest that is fitted into its width. */
const LONGEST = 18
const LONG = 16

/** The plugins and their tags, drawn. One box is reached by Tab, the others from there by arrow keys. */
export function Picture({ plugins, onChoose, back }: PluginsProps) {
  const last = useMemo(() => lastRoundOf(plugins), [plugins])
  const [round, setRound] = useState(last)
  const layout = useMemo(() => drawnAfter(plugins, round), [plugins, round])
  const [near, setNear] = useState<string>()
  const [stop, setStop] = useState(back.current ?? firstOn(layout))
  const drawing = useReturn<SVGSVGElement>(back)
  const { width, height, boxes } = layout

  const onKeyDown = (event: KeyboardEvent, box: Box) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onChoose(box.plugin)
    }
    const next = nextBox(boxes, box, event.key)
    if (!next) return
    event.preventDefault()
    const selector = `[data-plugin="${CSS.escape(next.plugin)}"]`
    drawing.current?.querySelector<SVGElement>(selector)?.focus()
  }
  const onNear = (plugin: string | undefined, isFocused: boolean) => {
    setNear(plugin)
    if (isFocused && plugin !== undefined) setStop(plugin)
  }
  return (
    <div class="why-picture">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset */}
      <svg
        ref={drawing}
        role="group"
        aria-label={t('whyPictureName')}
        viewBox={`0 0 ${width} ${height}`}
        style={{ maxWidth: `${width}px` }}
      >
        <Lines layout={layout} near={near} />
        {boxes.map((box) => (
          <PluginBox
            key={box.plugin}
            box={box}
            isStop={box.plugin === stop}
            onChoose={onChoose}
            onKeyDown={onKeyDown}
            onNear={onNear}
          />
        ))}
      </svg>
      <Legend boxes={boxes} edges={layout.edges} />
      {last > 0 && <RoundChoice last={last} round={round} onChange={setRound} />}
    </div>
  )
}

/** The picture as it was after a round. Every box stays at its place. */
function drawnAfter(plugins: readonly Explained[], round: number): Layout {
  const layout = layOut(plugins)
  const states = statesAfter(plugins, round)
  return {
    ...layout,
    boxes: layout.boxes.map((box) => ({ ...box, state: states.get(box.plugin) ?? box.state })),
    edges: layout.edges.map((edge) => edgeThen(edge, states)),
  }
}

function firstOn({ boxes }: Layout): string | undefined {
  return (boxes.find(({ state }) => state === 'on') ?? boxes[0])?.plugin
}

interface LinesProps {
  readonly layout: Layout
  readonly near: string | undefined
}

/** The edges, and the titles of tags and columns. */
function Lines({ layout, near }: LinesProps) {
  const isNear = ({ from, to }: Edge) => from === near || to === near
  const nearest = layout.edges.filter(isNear)
  const others = layout.edges.filter((edge) => !isNear(edge))
  const names = new Set(nearest.map(({ need, tag }) => `${need} ${tag}`))
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g aria-hidden="true" class={nearest.length > 0 ? 'why-has-near' : ''}>
      {[...others, ...nearest].map((edge) => (
        <path
          key={`${edge.from} ${edge.need} ${edge.tag} ${edge.to}`}
          d={edge.path}
          class={`why-edge why-edge-${edge.need}${edge.live ? ' why-live' : ''}${isNear(edge) ? ' why-near' : ''}`}
        />
      ))}
      {layout.labels.map(({ tag, need, x, y, live }) => {
        const mark = names.has(`${need} ${tag}`) ? ' why-near' : ''
        return (
          <text
            key={`${need} ${tag}`}
            x={x}
            y={y}
            class={`why-tag${live ? ' why-live' : ''}${mark}`}
          >
            {need === 'forbidden' ? t('whyForbiddenTag', { tag }) : tag}
          </text>
        )
      })}
      {layout.columns.map(({ kind, x, y }) => (
        <text key={kind} x={x} y={y} class="why-column">
          {t(`whyKinds_${kind}`)}
        </text>
      ))}
    </g>
  )
}

/** Fits a long name into a width, in whatever font. */
function fitted(name: string, width: number) {
  return name.length < LONG ? {} : { textLength: width, lengthAdjust: 'spacingAndGlyphs' as const }
}

interface PluginBoxProps {
  readonly box: Box
  readonly isStop: boolean
  readonly onChoose: (plugin: string) => void
  readonly onKeyDown: (event: KeyboardEvent, box: Box) => void
  readonly onNear: (plugin: string | undefined, isFocused: boolean) => void
}

function PluginBox({ box, isStop, onChoose, onKeyDown, onNear }: PluginBoxProps) {
  const { plugin, kind, state, x, y, width, height } = box
  const name = t('whyBoxName', { plugin, kind: kindText(kind), state: stateText(state) })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of HTML
    <g
      role="button"
      class={`why-box why-${state}`}
      data-plugin={plugin}
      aria-label={name}
      tabIndex={isStop ? 0 : -1}
      transform={`translate(${x} ${y})`}
      onClick={() => onChoose(plugin)}
      onKeyDown={(event) => onKeyDown(event, box)}
      onFocus={() => onNear(plugin, true)}
      onBlur={() => onNear(undefined, true)}
      onMouseEnter={() => onNear(plugin, false)}
      onMouseLeave={() => onNear(undefined, false)}
    >
      <rect width={width} height={height} rx="6" />
      <g transform={`translate(13 ${height / 2})`}>
        <StateSign state={state} />
      </g>
      <text x="24" y={height / 2 + 4} {...fitted(plugin, width - 32)}>
        {plugin.length > LONGEST ? `${plugin.slice(0, LONGEST - 1)}…` : plugin}
      </text>
    </g>
  )
}
