// A chat page as an application has one, bundled for a version of the client: 'chat-react' and 'chat-ai' are
// what it is called by there. The address says which conversation, model and version.
import * as ai from 'chat-ai'
import { useChat } from 'chat-react'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'

const { lastAssistantMessageIsCompleteWithApprovalResponses: isApproved } = ai
const asked = new URLSearchParams(location.search)
const id = asked.get('id')
const sdk = asked.get('sdk')

const kept = await fetch(`/api/conversations/${id}?sdk=${sdk}`)
const messages = kept.ok ? (await kept.json()).messages : []
/** The run that an answer by address let go on: it is read by its name, since it may be over before it is asked for. */
let answeredRun
const transport = new ai.DefaultChatTransport({
  api: '/api/chat',
  headers: { 'x-braidwork-sdk': sdk },
  body: { agent: asked.get('model') },
  prepareReconnectToStreamRequest: ({ api, id }) => ({
    api: `${api}/${id}/stream${answeredRun ? `?run=${answeredRun}` : ''}`,
  }),
})

function Page() {
  const chat = useChat({
    id,
    messages,
    transport,
    resume: true,
    ...(isApproved ? { sendAutomaticallyWhen: isApproved } : {}),
  })
  const [text, setText] = useState('')
  const answer = (part, approved) => () =>
    chat.addToolApprovalResponse
      ? chat.addToolApprovalResponse({ id: part.approval.id, approved })
      : answerByAddress(chat, part.data.approvalId, approved)
  const stop = async () => {
    await fetch(`/api/chat/${id}/stop`, { method: 'POST' })
    await chat.stop()
  }
  return h(
    'main',
    null,
    h('output', { id: 'status' }, chat.status),
    h('p', { id: 'error' }, chat.error?.message ?? ''),
    chat.messages.map((message) =>
      h(
        'article',
        { key: message.id, id: message.id, className: message.role },
        message.parts.map((part, at) => h(Part, { key: at, part, answer })),
      ),
    ),
    h('input', { value: text, onChange: ({ target }) => setText(target.value) }),
    button('Send', () => void chat.sendMessage({ text })),
    button('Stop', () => void stop()),
    button('Regenerate', () => void chat.regenerate()),
  )
}

function Part({ part, answer }) {
  const waits =
    part.state === 'approval-requested' ||
    (part.type === 'data-approval' && part.data.state === 'required')
  if (waits) {
    return h('p', null, button('Approve', answer(part, true)), button('Deny', answer(part, false)))
  }
  if (part.type === 'text') return h('p', { className: 'text' }, part.text)
  return h('p', { className: 'part' }, [part.type, part.state].filter(Boolean).join(' '))
}

function button(name, onClick) {
  return h('button', { type: 'button', onClick }, name)
}

/** Of clients that have no word for approvals. */
async function answerByAddress(chat, approvalId, approved) {
  const body = JSON.stringify({ approved })
  const answered = await fetch(`/approvals/${approvalId}`, { method: 'POST', body })
  answeredRun = (await answered.json()).runId
  await chat.resumeStream()
  answeredRun = undefined
}

createRoot(document.getElementById('chat')).render(h(Page))
