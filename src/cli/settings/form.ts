import type { Action, Section } from '@braidwork/core'
import { HostError, pointerOf } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { shorten } from '../terminal.ts'
import { askField, askObject } from './ask-field.ts'
import { askSecret } from './ask-secret.ts'
import { textOf } from './choices.ts'
import { type Field, fieldsIn, type Item, itemsOf, valueIn } from './fields.ts'
import { leaves } from './leave.ts'
import type { Option, Prompts } from './prompts.ts'
import type { EditSession } from './session.ts'
import { shownValue, whyOf } from './show-document.ts'

const LONGEST_RESULT = 2000

/** The settings form: a menu of categories, until the person saves or discards. */
export class Form {
  readonly #session: EditSession
  readonly #prompts: Prompts
  readonly #said = new Set<string>()

  constructor(session: EditSession, prompts: Prompts) {
    this.#session = session
    this.#prompts = prompts
  }

  /** Shows the form. @returns true to save, false to discard */
  async fillIn(): Promise<boolean> {
    for (;;) {
      this.#sayDiagnostics()
      const chosen = await this.#prompts.choose<Section | 'off' | 'save' | 'discard'>({
        message: 'Settings',
        options: [
          ...this.#sections(true).map((section) => this.#optionOf(section)),
          { value: 'off', label: 'Plugins that are off', about: `${this.#sections(false).length}` },
          { value: 'save', label: 'Save' },
          { value: 'discard', label: 'Discard' },
        ],
      })
      if (chosen === 'save') return true
      if (chosen === 'discard') return false
      if (chosen === 'off') await this.#off()
      else if (chosen) await this.#section(chosen)
      else if (await leaves(this.#prompts, this.#session.hasChanges)) return false
    }
  }

  #sections(on: boolean): readonly Section[] {
    return this.#session.document.sections.filter((section) => section.on === on)
  }

  #optionOf(section: Section): Option<Section> {
    const changed = this.#session.countOf(section.plugin)
    const about = [whyOf(section), changed > 0 ? `${changed} changed` : '']
    return { value: section, label: this.#labelOf(section), about: inLine(about) }
  }

  /** A category's label. Sections with equal titles get different labels. */
  #labelOf({ plugin, title }: Section): string {
    const { elements } = this.#session.document.uischema
    return elements.find(({ options }) => options?.plugin === plugin)?.label ?? title
  }

  /** Lists plugins that are off, with the reasons, and switches on the chosen one if that is possible. */
  async #off(): Promise<void> {
    const section = await this.#prompts.choose({
      message: 'Plugins that are off: choose one to switch it on',
      options: this.#sections(false).map((one) => ({
        value: one,
        label: one.title,
        about: whyOf(one),
      })),
    })
    if (section?.plugin === undefined) return
    const { elements } = this.#session.document.uischema
    const items = await itemsOf(this.#session.document, elements[0]?.elements ?? [])
    const pointer = pointerOf(['switches', section.plugin])
    const field = fieldsIn(items).find((one) => one.pointer === pointer)
    if (!field || field.isReadOnly) {
      this.#prompts.say(`"${section.plugin}" cannot be switched on: ${whyOf(section)}.`, 'warning')
      return
    }
    await this.#set(field, true)
    const now = this.#session.document.sections.find(({ plugin }) => plugin === section.plugin)
    if (now && !now.on) this.#prompts.say(`It is still off: ${whyOf(now)}.`, 'warning')
  }

  async #section(chosen: Section): Promise<void> {
    const { plugin } = chosen
    const items = async () => {
      const { document } = this.#session
      const category = document.uischema.elements.find(({ options }) => options?.plugin === plugin)
      return category ? itemsOf(document, category.elements) : []
    }
    const section = () => this.#session.document.sections.find((one) => one.plugin === plugin)
    await this.#menu(this.#labelOf(chosen), items, () => section()?.actions ?? [])
  }

  /** Shows the fields of a category or group until the person goes back. */
  async #menu(
    title: string,
    read: () => Promise<readonly Item[]>,
    actions: () => readonly Action[] = () => [],
  ): Promise<void> {
    let last: string | undefined
    for (;;) {
      this.#sayDiagnostics()
      const items = await read()
      if (items.length === 0) return
      const options = this.#itemOptions(items, actions())
      const initial = options.find(({ value }) => value.label === last)
      const chosen = await this.#prompts.choose({
        message: title,
        options,
        ...(initial ? { initial: initial.value } : {}),
      })
      if (chosen === undefined || chosen.type === 'back') return
      last = chosen.label
      await this.#open(chosen, read)
    }
  }

  #itemOptions(items: readonly Item[], actions: readonly Action[]): readonly Option<MenuEntry>[] {
    const dynamic = new Set(this.#session.document.dynamic.map(({ pointer }) => pointer))
    const entries = items.flatMap((item): MenuEntry[] =>
      item.type === 'field' && dynamic.has(item.pointer)
        ? [item, { type: 'refresh', label: 'Refresh models' }]
        : [item],
    )
    // Actions on a message are left out: this form belongs to no conversation.
    const runs = actions
      .filter(({ kind }) => kind === 'session-action')
      .map((action) => ({ type: 'action', label: `Run: ${action.title}`, action }) as const)
    const all: readonly MenuEntry[] = [...entries, ...runs, { type: 'back', label: 'Back' }]
    return all.map((entry) => ({ value: entry, label: entry.label, about: this.#aboutOf(entry) }))
  }

  #aboutOf(entry: MenuEntry): string {
    if (entry.type !== 'field') return ''
    const { sections, data } = this.#session.document
    const [top, name] = entry.path
    const why = top === 'switches' && sections.find(({ plugin }) => plugin === name)
    const set = sections.flatMap(({ secretsSet }) => secretsSet)
    const about = [
      shownValue(entry, data, set),
      why ? `${why.on ? 'on' : 'off'}: ${whyOf(why)}` : '',
      this.#session.isChanged(entry.pointer) ? 'changed' : '',
    ]
    return inLine(about)
  }

  async #open(entry: MenuEntry, read: () => Promise<readonly Item[]>): Promise<void> {
    switch (entry.type) {
      case 'field':
        return this.#field(entry)
      case 'group':
        return this.#menu(entry.label, async () => groupIn(await read(), entry.label))
      case 'refresh':
        return this.#refresh()
      case 'action':
        return this.#run(entry.action)
      default:
        return undefined
    }
  }

  async #field(field: Field): Promise<void> {
    if (field.isReadOnly) {
      this.#prompts.say(`"${field.label}" cannot be changed here.`, 'warning')
      return
    }
    const { data } = this.#session.document
    const isSet = this.#session.isSet(field.pointer)
    const answer =
      field.isSecret || isSet
        ? await askSecret(field, this.#prompts, {
            isSet,
            variable: this.#session.variableOf(field),
          })
        : await askField(field, valueIn(data, field.path), this.#prompts)
    if (answer) await this.#set(field, answer.value)
  }

  async #set(field: Field, value: unknown): Promise<void> {
    await this.#trying(() => this.#session.set(field, value))
    const isStill = value === undefined && this.#session.isSet(field.pointer)
    if (isStill)
      this.#prompts.say('It is still set, by another file or the environment.', 'warning')
  }

  async #refresh(): Promise<void> {
    await this.#trying(async () => {
      const models = await this.#prompts.work('Asking for the models', () =>
        this.#session.refreshModels(),
      )
      this.#prompts.say(`${models.length} models.`)
    })
  }

  async #run(action: Action): Promise<void> {
    const { schema, title } = action
    await this.#trying(async () => {
      const input = schema
        ? await askObject(schema, undefined, this.#prompts)
        : { value: undefined }
      if (!input) return
      const result = await this.#prompts.work(title, (signal) =>
        this.#session.runAction(action, input.value, signal),
      )
      this.#prompts.say(result === undefined ? 'Done.' : shorten(textOf(result), LONGEST_RESULT))
    })
  }

  /** Runs an action; prints an error instead of leaving the form. */
  async #trying(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (HostError.is(error) && error.code === 'ABORTED') throw error
      this.#prompts.say(messageOf(error), 'error')
    }
  }

  /** Prints each diagnostic once. */
  #sayDiagnostics(): void {
    for (const { level, message } of this.#session.document.diagnostics) {
      if (level === 'info' || this.#said.has(message)) continue
      this.#said.add(message)
      this.#prompts.say(message, level)
    }
  }
}

/** The entries of a field menu that are not fields. */
type MenuEntry =
  | Item
  | { readonly type: 'refresh' | 'back'; readonly label: string }
  | { readonly type: 'action'; readonly label: string; readonly action: Action }

function inLine(words: readonly string[]): string {
  return words.filter((one) => one !== '').join('; ')
}

function groupIn(items: readonly Item[], label: string): readonly Item[] {
  const group = items.find((item) => item.type === 'group' && item.label === label)
  return group?.type === 'group' ? group.items : []
}
