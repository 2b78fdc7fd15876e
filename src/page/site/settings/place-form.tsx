import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { focusPanel, useLoaded, useUnsaved, Waiting } from '../drawer/index.ts'
import { focusFirstField, SchemaForm } from '../forms/index.ts'
import {
  type Client,
  changeSettings,
  type FaultTree,
  faultTree,
  forgetSettings,
  loadSettings,
  type Place,
  placeQuery,
  ServerError,
  type SettingsView,
  type Values,
} from '../server/index.ts'
import { language, t } from '../words/index.ts'
import { changeOf, isNothing, touches } from './change.ts'
import { withReadOnly } from './read-only.ts'
import { type Refusal, refusalOf } from './refusal.ts'

interface PlaceProps {
  readonly client: Client
  readonly place: Place
  readonly ensure: () => Promise<Place>
}

/** The settings of one place as a form. */
export function PlaceForm(props: PlaceProps) {
  const { client, place } = props
  const loaded = useLoaded(
    (signal) => loadSettings(client, place, { locale: language, signal }),
    placeQuery(place),
  )
  return (
    <Waiting loaded={loaded}>
      {(view) => <ShownForm {...props} first={view} onForgotten={loaded.retry} />}
    </Waiting>
  )
}

interface ShownFormProps extends PlaceProps {
  readonly first: SettingsView
  readonly onForgotten: () => void
}

function ShownForm({ client, place, ensure, first, onForgotten }: ShownFormProps) {
  const form = useForm(first, client)
  const there = useRef(place)
  const save = () =>
    form.during(async () => {
      there.current = await ensure()
      const options = { change: form.change(), locale: language }
      form.saved(await changeSettings(client, there.current, options))
    })
  const forget = () =>
    form.during(async () => {
      there.current = await ensure()
      await forgetSettings(client, there.current)
      onForgotten()
    })
  return (
    <>
      <SchemaForm
        prefix="settings"
        schema={form.view.schema}
        uiSchema={form.layout}
        data={form.data}
        faults={form.faults}
        onChange={(data) => void form.write(data as Values, there.current)}
        onSubmit={() => void save()}
      >
        <p class="settings-buttons">
          <button type="submit" class="main">
            {t('save')}
          </button>
          <button
            type="button"
            onClick={(event) => {
              if (!confirm(t('settingsForgetAsk'))) return
              focusPanel(event)
              void forget()
            }}
          >
            {t('settingsForget')}
          </button>
          <span role="status">{form.said}</span>
        </p>
      </SchemaForm>
      {form.refusal?.text && (
        <p class="drawer-error" role="alert">
          {form.refusal.text}
        </p>
      )}
    </>
  )
}

/** What a person fills in: the fields that there are, the values, and what became of them. */
function useForm(first: SettingsView, client: Client) {
  const [view, setView] = useState(first)
  const [data, setData] = useState(first.formData)
  const [refusal, setRefusal] = useState<Refusal>()
  const [said, setSaid] = useState('')
  /** The values that the server has. */
  const kept = useRef(first.formData)
  /** Only the newest trial counts. */
  const trial = useRef(0)
  const layout = useMemo(() => withReadOnly(view), [view])
  const faults = useFaults(refusal)

  const during = async (act: () => Promise<void>) => {
    setRefusal(undefined)
    setSaid('')
    try {
      await act()
    } catch (thrown) {
      if (!(thrown instanceof ServerError)) throw thrown
      setRefusal(refusalOf(thrown, view.schema, data))
    }
  }
  const saved = (next: SettingsView) => {
    kept.current = next.formData
    trial.current++
    setView(next)
    setData(next.formData)
    setSaid(t('saved'))
  }
  const change = (values: Values = data) => changeOf(kept.current, values)
  useUnsaved(!isNothing(change()))
  /** Takes a change, and asks which fields there are now if they may be others. */
  const write = async (values: Values, place: Place) => {
    const step = changeOf(data, values)
    if (isNothing(step)) return
    setData(values)
    setSaid('')
    setRefusal(undefined)
    if (!touches(step, view.recomputeOn)) return
    const at = ++trial.current
    await during(async () => {
      const options = { change: change(values), locale: language, isTrial: true }
      const next = await changeSettings(client, place, options)
      if (at === trial.current) setView(next)
    })
  }
  return { view, data, layout, faults, refusal, said, during, saved, change, write }
}

/** The refusal of a field as the form takes it. The field gets the focus. */
function useFaults(refusal: Refusal | undefined): FaultTree {
  const fault = refusal?.fault
  useEffect(() => {
    if (fault) focusFirstField('settings', [fault])
  }, [fault])
  return useMemo(() => faultTree(fault ? [fault] : []), [fault])
}
