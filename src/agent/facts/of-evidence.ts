import type { ToolResultPart } from '@braidwork/plugin'
import { type FactDraft, type FactIds, type FactSources, stepIdOf } from './fact.ts'

/** Facts about what an answer or a call leaves behind, or rests on. */
export const EVIDENCE_SOURCES: FactSources<'file' | 'data' | 'source'> = {
  file: {
    classes: ['artifact.changed'],
    facts: ({ seq, mediaType, url, name, data }, { runId, step }) => [
      {
        type: 'artifact.changed',
        stepId: stepIdOf(runId, step),
        artifactId: `${runId}/file-${seq}`,
        // The bytes are in the conversation.
        payload: { kind: 'file', mediaType, url, name, base64Length: data?.length },
      },
    ],
  },
  data: {
    classes: ['artifact.changed'],
    facts: ({ seq, name, data, transient }, { runId, step }) =>
      transient
        ? []
        : [
            {
              type: 'artifact.changed',
              stepId: stepIdOf(runId, step),
              artifactId: `${runId}/data-${seq}`,
              payload: { kind: 'data', name, data },
            },
          ],
  },
  source: {
    classes: ['evidence.changed'],
    facts: ({ seq, url, title }, { runId, step }) => [
      {
        type: 'evidence.changed',
        stepId: stepIdOf(runId, step),
        evidenceId: `${runId}/source-${seq}`,
        payload: { kind: 'source', url, title },
      },
    ],
  },
}

/** What the result of a call refers to: its stored bytes, what it made, what it rests on. */
export function callEvidence(result: ToolResultPart, ids: FactIds): readonly FactDraft[] {
  const { references = [], artifacts = [], evidence = [] } = result
  return [
    ...references.map(({ hash, mediaType, size }) => ({
      type: 'output.spilled' as const,
      ...ids,
      outputRef: hash,
      payload: { mediaType, size },
    })),
    ...artifacts.map((artifact) => ({
      type: 'artifact.changed' as const,
      ...ids,
      artifactId: artifact.uri,
      payload: { kind: 'tool', ...artifact },
    })),
    ...evidence.map((reference) => ({
      type: 'evidence.changed' as const,
      ...ids,
      evidenceId: reference,
      payload: { kind: 'tool', reference },
    })),
  ]
}
