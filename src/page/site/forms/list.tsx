import LibraryList from '@rjsf/core/lib/components/templates/ArrayFieldTemplate.js'
import { TranslatableString } from '@rjsf/utils'
import { type ComponentType, createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Values } from '../server/index.ts'
import { translated } from './translated.ts'

interface ButtonProps {
  readonly id?: string
  readonly disabled?: boolean
  readonly onClick?: (event: Event) => void
}

interface NamedButtonProps extends ButtonProps {
  readonly text: TranslatableString
  /** What the button is for, as people who do not see its place hear it. */
  readonly of?: string | undefined
}

/** A button of a form. Those of the library have a picture of a font that the page does not have. */
function FormButton({ text, of, id, disabled, onClick }: NamedButtonProps) {
  const name = translated(text)
  return (
    <button
      type="button"
      class="drawer-button"
      {...(id === undefined ? {} : { id })}
      {...(of === undefined ? {} : { 'aria-label': `${name}: ${of}` })}
      disabled={disabled === true}
      onClick={(event) => onClick?.(event)}
    >
      {name}
    </button>
  )
}

/** A list, for its buttons. */
interface ShownList {
  readonly title: string | undefined
  /** Gives the focus to the first of these that there is after the list has changed. */
  readonly focusNext: (selectors: readonly string[]) => void
}

const List = createContext<ShownList | undefined>(undefined)

interface ListProps {
  readonly title?: string
  readonly uiSchema?: Values
  readonly fieldPathId: { readonly $id: string }
  readonly items: readonly unknown[]
}

const Library = LibraryList as unknown as ComponentType<ListProps>

/** A list whose buttons leave the focus in it, also where the pressed one goes. */
function ListTemplate(props: ListProps) {
  const { title, uiSchema = {}, fieldPathId, items } = props
  const next = useRef<readonly string[]>([])
  useLayoutEffect(() => {
    const found = next.current.map((one) => document.querySelector<HTMLElement>(one))
    next.current = []
    found.find((element) => element !== null)?.focus()
  })
  const own = uiSchema['ui:title']
  const list: ShownList = {
    title: typeof own === 'string' ? own : title,
    focusNext: (selectors) => {
      const add = buttonAt(`${fieldPathId.$id}__add`)
      const added = ['input', 'select', 'textarea', 'button'].map(
        (name) => `${name}[id^="${CSS.escape(`${fieldPathId.$id}_${items.length}`)}"]`,
      )
      next.current = [...selectors, add, added.join()]
    },
  }
  return (
    <List.Provider value={list}>
      <Library {...props} />
    </List.Provider>
  )
}

/** A button that can be pressed. */
function buttonAt(id: string): string {
  return `#${CSS.escape(id)}:enabled`
}

function AddButton(props: ButtonProps) {
  const list = useContext(List)
  const isOfList = props.id?.endsWith('__add') === true
  const press = (event: Event) => {
    list?.focusNext([])
    props.onClick?.(event)
  }
  const of = isOfList ? list?.title : undefined
  return <FormButton {...props} text={TranslatableString.AddButton} of={of} onClick={press} />
}

interface ItemProps {
  readonly disabled?: boolean
  readonly readonly?: boolean
  readonly fieldPathId: { readonly $id: string }
  readonly index: number
  readonly hasMoveUp: boolean
  readonly hasMoveDown: boolean
  readonly hasRemove: boolean
  readonly onMoveUpItem: (event: Event) => void
  readonly onMoveDownItem: (event: Event) => void
  readonly onRemoveItem: (event: Event) => void
}

/** The buttons of an entry. The focus goes with an entry that moves, and to the next one of an entry that is removed. */
function ItemButtons(props: ItemProps) {
  const { index, fieldPathId, hasMoveUp, hasMoveDown, hasRemove } = props
  const list = useContext(List)
  const isOff = props.disabled === true || props.readonly === true
  const of = list?.title === undefined ? `${index + 1}` : `${list.title} ${index + 1}`
  const listId = fieldPathId.$id.replace(/_\d+$/, '')
  const at = (place: number, names: readonly string[]) =>
    names.map((name) => buttonAt(`${listId}_${place}__${name}`))
  const press = (act: (event: Event) => void, next: readonly string[]) => (event: Event) => {
    list?.focusNext(next)
    act(event)
  }
  const button = (name: string, text: TranslatableString, isOn: boolean) => ({
    id: `${fieldPathId.$id}__${name}`,
    text,
    of,
    disabled: isOff || !isOn,
  })
  const up = press(props.onMoveUpItem, at(index - 1, ['moveUp', 'moveDown']))
  const down = press(props.onMoveDownItem, at(index + 1, ['moveDown', 'moveUp']))
  const neighbors = [...at(index, ['remove']), ...at(index - 1, ['remove'])]
  const remove = press(props.onRemoveItem, neighbors)
  return (
    <>
      {(hasMoveUp || hasMoveDown) && (
        <>
          <FormButton
            {...button('moveUp', TranslatableString.MoveUpButton, hasMoveUp)}
            onClick={up}
          />
          <FormButton
            {...button('moveDown', TranslatableString.MoveDownButton, hasMoveDown)}
            onClick={down}
          />
        </>
      )}
      {hasRemove && (
        <FormButton {...button('remove', TranslatableString.RemoveButton, true)} onClick={remove} />
      )}
    </>
  )
}

/** The templates of lists and of their buttons, by the names that react-jsonschema-form gives them. */
export const LIST_TEMPLATES = {
  ArrayFieldTemplate: ListTemplate,
  ArrayFieldItemButtonsTemplate: ItemButtons,
  ButtonTemplates: {
    AddButton,
    RemoveButton: (props: ButtonProps) => (
      <FormButton {...props} text={TranslatableString.RemoveButton} />
    ),
  },
}
