import type { Press } from './focus.ts'
import { Icon, type IconName } from './icon.tsx'

interface IconButtonProps {
  readonly icon: IconName
  /** What it does, in words. */
  readonly name: string
  /** What it does it to, for those who do not see where it is. */
  readonly of?: string
  readonly isOff?: boolean
  readonly isRound?: boolean
  /** Whether it is what a person most likely wants. */
  readonly isMain?: boolean
  /** Whether what it opens is open. */
  readonly isExpanded?: boolean
  readonly onClick: (press: Press) => void
}

/** A button with a picture in place of words. */
export function IconButton(props: IconButtonProps) {
  const {
    icon,
    name,
    of,
    isOff = false,
    isRound = false,
    isMain = false,
    isExpanded,
    onClick,
  } = props
  return (
    <button
      type="button"
      class={`icon${isRound ? ' round' : ''}${isMain ? ' main' : ''}`}
      aria-label={of === undefined ? name : `${name}: ${of}`}
      title={name}
      aria-expanded={isExpanded}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
