/** The section about clients in Go, Java and Rust, which were run by hand. */
export const OTHER_LANGUAGES = `
## Clients in Go, Java and Rust
These clients were run by hand against a server in front of a model API that answers by rules. The column "worked" names
the kinds of requests that were tried and answered rightly. An error before the first output was an error of the client's own
class.

| client | API | worked | setting |
| --- | --- | --- | --- |
| openai-go 3.99.0 (Go) | Chat Completions | whole, streamed, client tools, structured, image | \`option.WithBaseURL("http://127.0.0.1:8787/v1")\`, \`option.WithAPIKey(…)\` |
|  | Responses | whole, streamed, client tools, host tools, turns, background, conversations | the same |
| anthropic-sdk-go 2.15.0 (Go) | Messages | whole, streamed, client tools, turns | \`option.WithBaseURL("http://127.0.0.1:8787")\`, \`option.WithAPIKey(…)\` |
| sashabaranov/go-openai 1.43.0 (Go) | Chat Completions | whole, streamed, client tools, structured | \`cfg := openai.DefaultConfig(…)\`, \`cfg.BaseURL = "http://127.0.0.1:8787/v1"\` |
| openai-java 4.105.0 (Java) | Chat Completions | whole, streamed, client tools, structured | \`OpenAIOkHttpClient.builder().baseUrl("http://127.0.0.1:8787/v1").apiKey(…)\` |
|  | Responses | whole, streamed, client tools, host tools, structured, turns, background, conversations | the same |
| anthropic-java 3.14.0 (Java) | Messages | whole, streamed, host tools with the beta API, structured | \`AnthropicOkHttpClient.builder().baseUrl("http://127.0.0.1:8787").apiKey(…)\` |
| langchain4j 1.19 (Java) | Chat Completions, Messages | whole, streamed, client tools | \`OpenAiChatModel.builder().baseUrl("http://127.0.0.1:8787/v1").apiKey(…)\`, and so \`AnthropicChatModel\` |
|  | Responses | streamed, client tools | \`OpenAiResponsesStreamingChatModel\`, the same |
| Spring AI 1.1.2 (Java) | Chat Completions | whole, streamed, client tools, structured | \`OpenAiApi.builder().baseUrl("http://127.0.0.1:8787").apiKey(…)\`, without \`/v1\` |
| async-openai 0.43 (Rust) | Chat Completions | whole, streamed | \`OpenAIConfig::new().with_api_base("http://127.0.0.1:8787/v1").with_api_key(…)\` |
|  | Responses | whole, streamed, host tools, turns, background, conversations | the same |
| genai 0.7.2 (Rust) | Chat Completions, Responses, Messages | whole, streamed, client tools | a \`ServiceTargetResolver\` with \`Endpoint::from_static("http://127.0.0.1:8787/v1/")\` and \`AuthData::from_single(…)\` |
| rig-core 0.44 (Rust) | Responses, Messages | whole | \`OPENAI_BASE_URL=http://127.0.0.1:8787/v1\` with \`OPENAI_API_KEY\`, \`ANTHROPIC_BASE_URL=http://127.0.0.1:8787\` with \`ANTHROPIC_API_KEY\` |

- **Streams of Chat Completions that break off.** openai-go, go-openai, openai-java, langchain4j, async-openai and genai tell
  their programs of the error. The name of the error shows only to langchain4j, which would take the answer for complete
  without it. Spring AI passes over the error, with and without a name and with and without \`[DONE]\`: its program sees only
  that no chunk has a finish reason.
- **openai-go** sends the \`stream\` of \`Responses.GetStreaming\` in the body of a GET, which the server does not read, and gets no
  events. Add \`option.WithQuery("stream", "true")\`, and \`option.WithQuery("starting_after", …)\` to continue a stream.
- **go-openai** loses the message of an error in a stream that had a comment before it, as the server sends while a model is
  silent, and reports "unexpected end of JSON input".
- **openai-java** also reads all answers with \`responseValidation(true)\`.
`.trim()
