import LibraryList from '@rjsf/core/lib/components/templates/ArrayFieldTemplate.js'
import { TranslatableString } from '@rjsf/utils'
import { type ComponentType, createContext } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Values } from '../server/index.ts'
import { fieldsIn } from './focus-field.ts'
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
  readonly id: string
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
  const id = fieldPathId.$id
  const list: ShownList = {
    id,
    title: typeof own === 'string' ? own : title,
    focusNext: (selectors) => {
      next.current = [...selectors, buttonAt(addId(id)), fieldsIn(`${id}_${items.length}`)]
    },
  }
  return (
    <List.Provider value={list}>
      <Library {...props} />
    </List.Provider>
  )
}

/** The id that react-jsonschema-form gives to the button that adds to a list, or to an object. */
function addId(id: string): string {
  return `${id}__add`
}

/** A button that can be pressed. */
function buttonAt(id: string): string {
  return `#${CSS.escape(id)}:enabled`
}

/** The button that adds an entry to a list, or a key to an object, which may be in a list. */
function AddButton(props: ButtonProps) {
  const around = useContext(List)
  const list = around && props.id === addId(around.id) ? around : undefined
  const press = (event: Event) => {
    list?.focusNext([])
    props.onClick?.(event)
  }
  const text = TranslatableString.AddButton
  return <FormButton {...props} text={text} of={list?.title} onClick={press} />
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
