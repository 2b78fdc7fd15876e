/** The section about clients of AG-UI that were run by hand. */
export const AG_UI_PAGES = `
## TanStack AI and assistant-ui with AG-UI
These clients were run by hand against \`/ag-ui\`.

- **TanStack AI** (@tanstack/ai 0.58.0, @tanstack/ai-client 0.33.2): \`connection: fetchServerSentEvents('http://127.0.0.1:8787/ag-ui',
  { headers })\`. It runs its own tools and goes on with their results. An approval is an item of \`interrupts\`:
  \`resolveInterrupt({ approved: true })\` or \`{ approved: false, reason }\`. A question takes \`{ answer }\`.
- **assistant-ui** (@assistant-ui/react-ag-ui 0.0.57) with @ag-ui/client 0.0.59: it runs its own tools and goes on with their
  results. With @ag-ui/client 1.0, which tells the server its version, it takes the outcome \`success\` for the end although
  the outcome has \`pendingToolCallIds\`, and does not go on. Use the older client, or the UI message stream.
`.trim()
