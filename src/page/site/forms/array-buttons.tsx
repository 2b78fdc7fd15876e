import { TranslatableString } from '@rjsf/utils'
import { translated } from './translated.ts'

interface ButtonProps {
  readonly id?: string
  readonly disabled?: boolean
  readonly onClick?: (event: Event) => void
}

/** A button of a list. Those of the library have a picture of a font that the page does not have. */
function buttonNamed(text: TranslatableString) {
  return function ListButton({ id, disabled, onClick }: ButtonProps) {
    return (
      <button
        type="button"
        class="drawer-button"
        {...(id === undefined ? {} : { id })}
        disabled={disabled === true}
        onClick={(event) => onClick?.(event)}
      >
        {translated(text)}
      </button>
    )
  }
}

/** The buttons of lists, by the names that react-jsonschema-form gives them. */
export const ARRAY_BUTTONS = {
  AddButton: buttonNamed(TranslatableString.AddButton),
  RemoveButton: buttonNamed(TranslatableString.RemoveButton),
  MoveUpButton: buttonNamed(TranslatableString.MoveUpButton),
  MoveDownButton: buttonNamed(TranslatableString.MoveDownButton),
}
