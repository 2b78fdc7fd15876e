interface ViewSwitchProps<View extends string> {
  /** The views, with their names. */
  readonly views: readonly (readonly [view: View, name: string])[]
  readonly view: View
  readonly onChange: (view: View) => void
}

/** Buttons that choose one of several views of the same thing. */
export function ViewSwitch<View extends string>({ views, view, onChange }: ViewSwitchProps<View>) {
  return (
    <div class="view-switch">
      {views.map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === view} onClick={() => onChange(one)}>
          {name}
        </button>
      ))}
    </div>
  )
}
