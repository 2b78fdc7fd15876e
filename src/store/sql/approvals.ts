import type { Approval } from '@braidwork/agent'
import { type ApprovalStorage, bytesOf, type StoredAnswer } from '@braidwork/agent/internal'
import { ifPresent, jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { charge } from './usage.ts'

export function sqlApprovals(database: SqlDatabase): ApprovalStorage {
  const load = async (owner: string, id: string): Promise<Approval | undefined> => {
    const [row] = await database.query('SELECT * FROM approvals WHERE id = ? AND owner = ?', [
      id,
      owner,
    ])
    return row && approvalIn(row)
  }
  return {
    load,
    list: async (owner, runId) => {
      const rows = await database.query(
        'SELECT * FROM approvals WHERE run_id = ? AND owner = ? ORDER BY position',
        [runId, owner],
      )
      return rows.map(approvalIn)
    },
    answer: async (owner, id, answer) => {
      const answered = await database.transaction((session) =>
        addAnswer(session, [owner, id], answer),
      )
      if (answered) return answered
      const approval = await load(owner, id)
      return approval?.answer ? approval : undefined
    },
  }
}

/** Stores the first answer to an approval that has not expired, and counts its bytes. */
async function addAnswer(
  session: SqlSession,
  [owner, id]: readonly [owner: string, id: string],
  answer: StoredAnswer,
): Promise<Approval | undefined> {
  const [row] = await session.query(
    `UPDATE approvals SET answer = ?
      WHERE id = ? AND owner = ? AND answer IS NULL AND expires_at > ? RETURNING *`,
    [JSON.stringify(answer), id, owner, answer.answeredAt],
  )
  if (!row) return undefined
  const approval = approvalIn(row)
  const { answer: _, ...unanswered } = approval
  const bytes = bytesOf(JSON.stringify(approval)) - bytesOf(JSON.stringify(unanswered))
  await growRun(session, approval.runId, bytes)
  await charge(session, owner, { bytes })
  return approval
}

/** Inserts an approval and counts its bytes in its run. Returns these bytes; 0 if its id exists. */
export async function addApproval(
  session: SqlSession,
  approval: Approval,
  position: number,
): Promise<number> {
  if (!(await insertApproval(session, approval, position))) return 0
  const bytes = bytesOf(JSON.stringify(approval))
  await growRun(session, approval.runId, bytes)
  return bytes
}

async function growRun(session: SqlSession, id: string, bytes: number): Promise<void> {
  await session.query('UPDATE runs SET bytes = bytes + ? WHERE id = ?', [bytes, id])
}

/**
 * Inserts an approval unless its id exists. Returns whether it was inserted. Its position in the run comes from the
 * time of the request, so approvals of a later leg follow those of earlier ones.
 */
export async function insertApproval(
  session: SqlSession,
  given: Approval,
  position: number,
): Promise<boolean> {
  const { answer, ...approval } = given
  const { id, owner, runId, expiresAt, requestedAt } = approval
  const rows = await session.query(
    `INSERT INTO approvals (id, owner, run_id, position, expires_at, approval, answer)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    [
      id,
      owner,
      runId,
      requestedAt * 1000 + position,
      expiresAt,
      JSON.stringify(approval),
      answer ? JSON.stringify(answer) : null,
    ],
  )
  return rows.length > 0
}

export function approvalIn(row: Row): Approval {
  return {
    ...jsonIn<Approval>(row['approval']),
    ...ifPresent('answer', row['answer'], (answer) => jsonIn<StoredAnswer>(answer)),
  }
}
