import { useState } from 'preact/hooks'
import { Drawer, Tabs } from '../drawer/index.ts'
import type { Client, Place } from '../server/index.ts'
import { t } from '../words/index.ts'
import { PlaceForm } from './place-form.tsx'
import './settings.css'

interface SettingsProps {
  readonly client: Client
  readonly place: Place
  /** Gives the chat a conversation on the server, if it has none yet. @throws {ServerError} */
  readonly ensure: () => Promise<Place>
  readonly onClose: () => void
}

/** A drawer with the settings of the chat, and those of all chats of the person. */
export function Settings({ client, onClose, ...of }: SettingsProps) {
  // The chat may get its conversation while the form is filled in, which must not begin anew, and the page may go to
  // another chat, whose settings these are not.
  const [{ place, ensure }] = useState(of)
  const [chosen, setChosen] = useState('chat')
  const all: Place = { agent: place.agent, conversationId: undefined }
  const tabs = [
    {
      id: 'chat',
      title: t('settingsChat'),
      count: undefined,
      panel: () => <PlaceForm key="chat" client={client} place={place} ensure={ensure} />,
    },
    {
      id: 'all',
      title: t('settingsAll'),
      count: undefined,
      panel: () => <PlaceForm key="all" client={client} place={all} ensure={async () => all} />,
    },
  ]
  return (
    <Drawer title={t('settings')} note={t('settingsNote')} onClose={onClose}>
      <Tabs tabs={tabs} chosen={chosen} onChoose={setChosen} />
    </Drawer>
  )
}
