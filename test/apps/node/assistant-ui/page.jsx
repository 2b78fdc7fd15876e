// A chat page of assistant-ui's primitives. Its address says to whom it talks.
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantTool,
} from '@assistant-ui/react'
import { AssistantChatTransport, useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'

const { key, agent, code } = Object.fromEntries(new URLSearchParams(location.search))

function Weather() {
  useAssistantTool({
    toolName: 'get_weather',
    description: 'Tells the weather.',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => `21 degrees in ${city}, report ${code}`,
  })
  return null
}

function UserMessage() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  )
}

function AssistantMessage() {
  return (
    <MessagePrimitive.Root className="answer">
      <MessagePrimitive.Parts components={{ tools: { Fallback: Call } }} />
      <MessagePrimitive.Error>
        <ErrorPrimitive.Root className="error">
          <ErrorPrimitive.Message />
        </ErrorPrimitive.Root>
      </MessagePrimitive.Error>
    </MessagePrimitive.Root>
  )
}

const Call = ({ toolName, result }) => (
  <p className="call">
    {toolName}: {JSON.stringify(result)}
  </p>
)

/** A run goes on for a while without its page. It ends at once if the page says so. */
function fetchUntilStopped(address, init) {
  const { id } = JSON.parse(init.body)
  const stop = () => fetch(`${address}/${id}/stop`, { method: 'POST', headers: init.headers })
  init.signal?.addEventListener('abort', stop)
  return fetch(address, init)
}

function Chat() {
  const transport = new AssistantChatTransport({
    api: '/api/chat',
    headers: { authorization: `Bearer ${key}` },
    body: { agent },
    fetch: fetchUntilStopped,
  })
  const runtime = useChatRuntime({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      {code ? <Weather /> : null}
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.AddAttachment id="attach">attach</ComposerPrimitive.AddAttachment>
          <ComposerPrimitive.Input id="question" />
          <ComposerPrimitive.Send id="send">send</ComposerPrimitive.Send>
          <ComposerPrimitive.Cancel id="stop">stop</ComposerPrimitive.Cancel>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

createRoot(document.querySelector('#app')).render(<Chat />)
