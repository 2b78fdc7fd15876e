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
  /** Whether what it opens is open. */
  readonly isExpanded?: boolean
  readonly onClick: (press: Press) => void
}

/** A button with a picture in place of words. */
export function IconButton(props: IconButtonProps) {
  const { icon, name, of, isOff = false, isRound = false, isExpanded, onClick } = props
  return (
    <button
      type="button"
      class={isRound ? 'icon round' : 'icon'}
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
