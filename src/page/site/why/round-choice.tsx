import { ViewSwitch } from '../drawer/index.ts'
import { t } from '../words/index.ts'

interface RoundChoiceProps {
  /** The last round that took a plugin out. */
  readonly last: number
  /** The round after which the plugins are shown. */
  readonly round: number
  readonly onChange: (round: number) => void
}

/** The rounds of a resolution as steps: the candidates, and what each round left of them. */
export function RoundChoice({ last, round, onChange }: RoundChoiceProps) {
  const rounds = Array.from({ length: last + 1 }, (_, at) => at)
  return (
    <div class="why-rounds">
      <p>{t('whyRounds')}</p>
      <ViewSwitch
        views={rounds.map((at) => [
          `${at}`,
          at === 0 ? t('whyCandidates') : t('whyAfterRound', { round: at }),
        ])}
        view={`${round}`}
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </div>
  )
}
