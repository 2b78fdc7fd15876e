import { searchTables } from './search-texts.ts'
import type { SqlTypes } from './sql-types.ts'

/** Each step takes the schema from one version to the next. A published step never changes and cannot be undone. */
export const STEPS: readonly ((types: SqlTypes) => readonly string[])[] = [
  ({ bytes, integer }) => [
    `CREATE TABLE conversations (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, agent TEXT NOT NULL, sender TEXT NOT NULL,
      title TEXT, head TEXT, metadata TEXT NOT NULL,
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL)`,
    'CREATE INDEX conversations_of ON conversations (owner, updated_at, id)',
    `CREATE TABLE entries (
      conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
      id TEXT NOT NULL, parent TEXT, seq ${integer} NOT NULL, run_id TEXT,
      kind TEXT NOT NULL, content TEXT NOT NULL, created_at ${integer} NOT NULL,
      PRIMARY KEY (conversation_id, id))`,
    `CREATE TABLE runs (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL,
      conversation_id TEXT REFERENCES conversations (id) ON DELETE CASCADE,
      status TEXT NOT NULL, facts TEXT NOT NULL, idempotency_key TEXT,
      started_at ${integer} NOT NULL, ended_at ${integer}, pruned_at ${integer},
      next_seq ${integer} NOT NULL, leg_seq ${integer} NOT NULL,
      holder TEXT, lease_until ${integer}, UNIQUE (owner, idempotency_key))`,
    // If two processes start a run in the same conversation at once, this index makes one insert fail, and the
    // loser reports the conversation as busy.
    `CREATE UNIQUE INDEX runs_active ON runs (conversation_id) WHERE status = 'active'`,
    'CREATE INDEX runs_of ON runs (conversation_id, started_at)',
    'CREATE INDEX runs_ended ON runs (ended_at) WHERE pruned_at IS NULL',
    `CREATE TABLE events (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      seq ${integer} NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (run_id, seq))`,
    `CREATE TABLE approvals (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position ${integer} NOT NULL, expires_at ${integer} NOT NULL,
      approval TEXT NOT NULL, answer TEXT)`,
    'CREATE INDEX approvals_of ON approvals (run_id, position)',
    `CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes ${bytes} NOT NULL)`,
    `CREATE TABLE files (
      owner TEXT NOT NULL, hash TEXT NOT NULL REFERENCES blobs (hash),
      conversation_id TEXT NOT NULL, media_type TEXT NOT NULL, name TEXT,
      PRIMARY KEY (owner, hash, conversation_id))`,
    'CREATE INDEX files_of ON files (conversation_id)',
    `CREATE TABLE plugin_values (
      conversation_id TEXT NOT NULL, plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (conversation_id, plugin, key))`,
    `CREATE TABLE settings (owner TEXT PRIMARY KEY, layer TEXT NOT NULL, updated_at ${integer} NOT NULL)`,
    `CREATE TABLE agents (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
      spec TEXT NOT NULL, updated_at ${integer} NOT NULL, UNIQUE (owner, name))`,
    `CREATE TABLE documents (
      owner TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
      content TEXT NOT NULL, updated_at ${integer} NOT NULL, PRIMARY KEY (owner, kind, name))`,
  ],
  // From here on, ids of conversations and agents are unique per owner only.
  ({ integer }) => [
    `CREATE TABLE own_conversations (
      owner TEXT NOT NULL, id TEXT NOT NULL, agent TEXT NOT NULL, sender TEXT NOT NULL,
      title TEXT, head TEXT, metadata TEXT NOT NULL,
      created_at ${integer} NOT NULL, updated_at ${integer} NOT NULL, PRIMARY KEY (owner, id))`,
    `INSERT INTO own_conversations (owner, id, agent, sender, title, head, metadata, created_at, updated_at)
      SELECT owner, id, agent, sender, title, head, metadata, created_at, updated_at FROM conversations`,
    `CREATE TABLE own_entries (
      owner TEXT NOT NULL, conversation_id TEXT NOT NULL,
      id TEXT NOT NULL, parent TEXT, seq ${integer} NOT NULL, run_id TEXT,
      kind TEXT NOT NULL, content TEXT NOT NULL, created_at ${integer} NOT NULL,
      PRIMARY KEY (owner, conversation_id, id),
      FOREIGN KEY (owner, conversation_id) REFERENCES own_conversations (owner, id) ON DELETE CASCADE)`,
    `INSERT INTO own_entries (owner, conversation_id, id, parent, seq, run_id, kind, content, created_at)
      SELECT owner, conversation_id, entries.id, parent, seq, run_id, kind, content, entries.created_at
        FROM entries JOIN conversations ON conversations.id = conversation_id`,
    `CREATE TABLE own_runs (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, conversation_id TEXT,
      status TEXT NOT NULL, facts TEXT NOT NULL, idempotency_key TEXT,
      started_at ${integer} NOT NULL, ended_at ${integer}, pruned_at ${integer},
      next_seq ${integer} NOT NULL, leg_seq ${integer} NOT NULL,
      holder TEXT, lease_until ${integer}, UNIQUE (owner, idempotency_key),
      FOREIGN KEY (owner, conversation_id) REFERENCES own_conversations (owner, id) ON DELETE CASCADE)`,
    `INSERT INTO own_runs (id, owner, conversation_id, status, facts, idempotency_key,
        started_at, ended_at, pruned_at, next_seq, leg_seq, holder, lease_until)
      SELECT runs.id, runs.owner, conversations.id, status, facts, idempotency_key,
        started_at, ended_at, pruned_at, next_seq, leg_seq, holder, lease_until
        FROM runs LEFT JOIN conversations
          ON conversations.id = conversation_id AND conversations.owner = runs.owner`,
    `CREATE TABLE own_events (
      run_id TEXT NOT NULL REFERENCES own_runs (id) ON DELETE CASCADE,
      seq ${integer} NOT NULL, type TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (run_id, seq))`,
    'INSERT INTO own_events (run_id, seq, type, event) SELECT run_id, seq, type, event FROM events',
    `CREATE TABLE own_approvals (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES own_runs (id) ON DELETE CASCADE,
      position ${integer} NOT NULL, expires_at ${integer} NOT NULL,
      approval TEXT NOT NULL, answer TEXT)`,
    `INSERT INTO own_approvals (id, owner, run_id, position, expires_at, approval, answer)
      SELECT id, owner, run_id, position, expires_at, approval, answer FROM approvals`,
    `CREATE TABLE own_agents (
      owner TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
      spec TEXT NOT NULL, updated_at ${integer} NOT NULL,
      PRIMARY KEY (owner, id), UNIQUE (owner, name))`,
    `INSERT INTO own_agents (owner, id, name, spec, updated_at)
      SELECT owner, id, name, spec, updated_at FROM agents`,
    `UPDATE plugin_values SET conversation_id =
        (SELECT replace(replace(owner, '%', '%25'), '/', '%2F') || '/' || id
          FROM conversations WHERE id = conversation_id)
      WHERE conversation_id IN (SELECT id FROM conversations)`,
    // Drop the referring tables first: dropping a table deletes the rows that refer to it.
    ...['events', 'approvals', 'runs', 'entries', 'conversations', 'agents'].flatMap((table) => [
      `DROP TABLE ${table}`,
      `ALTER TABLE own_${table} RENAME TO ${table}`,
    ]),
    'CREATE INDEX conversations_of ON conversations (owner, updated_at, id)',
    `CREATE UNIQUE INDEX runs_active ON runs (owner, conversation_id) WHERE status = 'active'`,
    'CREATE INDEX runs_of ON runs (owner, conversation_id, started_at)',
    'CREATE INDEX runs_ended ON runs (ended_at) WHERE pruned_at IS NULL',
    'CREATE INDEX approvals_of ON approvals (run_id, position)',
  ],
  // The server looks for suspended runs every few seconds, and there are few of them among many runs.
  () => [`CREATE INDEX runs_suspended ON runs (id) WHERE status = 'suspended'`],
  // Indexes for entries in page order, for entries by run, and for files by hash.
  () => [
    'CREATE INDEX entries_of ON entries (owner, conversation_id, seq, id)',
    'CREATE INDEX entries_of_run ON entries (owner, conversation_id, run_id, seq)',
    'DROP INDEX runs_of',
    'CREATE INDEX runs_of ON runs (owner, conversation_id, started_at, id)',
    'CREATE INDEX files_with ON files (hash)',
    // The old index on files had the conversation id alone, which is unique per owner only.
    'DROP INDEX files_of',
    'CREATE INDEX files_of ON files (owner, conversation_id)',
  ],
  // PostgreSQL considers any index that begins with owner and conversation to be as good as the one in entry order:
  // its statistics cannot show one long conversation among short ones. So only that index may begin with these
  // columns.
  ({ isPlanned }) => [
    'DROP INDEX entries_of_run',
    'CREATE INDEX entries_of_run ON entries (run_id, seq)',
    ...(isPlanned
      ? [
          'ALTER TABLE entries DROP CONSTRAINT own_entries_pkey',
          'ALTER TABLE entries ADD PRIMARY KEY (id, conversation_id, owner)',
        ]
      : []),
  ],
  // Counts how much is stored for each owner.
  ({ integer, position }) => [
    `ALTER TABLE conversations ADD COLUMN bytes ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE runs ADD COLUMN bytes ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE files ADD COLUMN size ${integer} NOT NULL DEFAULT 0`,
    `UPDATE conversations SET bytes = octet_length(metadata) + coalesce(octet_length(title), 0)
      + coalesce((SELECT sum(octet_length(content)) FROM entries
        WHERE entries.owner = conversations.owner AND conversation_id = conversations.id), 0)`,
    `UPDATE runs SET bytes = octet_length(facts)
      + coalesce((SELECT sum(octet_length(event)) FROM events WHERE run_id = runs.id), 0)
      + coalesce((SELECT sum(octet_length(approval)) FROM approvals WHERE run_id = runs.id), 0)`,
    `UPDATE files SET size =
      (SELECT octet_length(blobs.bytes) FROM blobs WHERE blobs.hash = files.hash)`,
    `CREATE TABLE usage (
      owner TEXT PRIMARY KEY, bytes ${integer} NOT NULL,
      conversations ${integer} NOT NULL, files ${integer} NOT NULL)`,
    `INSERT INTO usage (owner, bytes, conversations, files)
      SELECT owner, sum(bytes), sum(conversations), sum(files) FROM (
        SELECT owner, bytes, 1 AS conversations, 0 AS files FROM conversations
        UNION ALL SELECT owner, bytes, 0, 0 FROM runs
        UNION ALL SELECT owner, size, 0, 1 FROM files
        UNION ALL SELECT owner, octet_length(layer), 0, 0 FROM settings
        UNION ALL SELECT owner, octet_length(spec), 0, 0 FROM agents
        UNION ALL SELECT owner, octet_length(content), 0, 0 FROM documents
        UNION ALL SELECT replace(replace(substr(conversation_id, 1,
            ${position}(conversation_id || '/', '/') - 1), '%2F', '/'), '%25', '%'),
          octet_length(value), 0, 0 FROM plugin_values) AS kept
      GROUP BY owner`,
  ],
  // Stores files in pieces. `blob_pieces` has all but the first; a file stored by an older version is one piece.
  ({ bytes, integer }) => [
    `CREATE TABLE blob_pieces (
      hash TEXT NOT NULL REFERENCES blobs (hash) ON DELETE CASCADE,
      position ${integer} NOT NULL, bytes ${bytes} NOT NULL, PRIMARY KEY (hash, position))`,
  ],
  // Stores entry contents and the orders of runs in pieces as well. `pieces` counts the pieces after the first.
  ({ integer }) => [
    `ALTER TABLE entries ADD COLUMN pieces ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE runs ADD COLUMN pieces ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE entry_pieces (
      id TEXT NOT NULL, conversation_id TEXT NOT NULL, owner TEXT NOT NULL,
      position ${integer} NOT NULL, piece TEXT NOT NULL,
      PRIMARY KEY (id, conversation_id, owner, position),
      FOREIGN KEY (id, conversation_id, owner)
        REFERENCES entries (id, conversation_id, owner) ON DELETE CASCADE)`,
    `CREATE TABLE run_pieces (
      id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position ${integer} NOT NULL, piece TEXT NOT NULL, PRIMARY KEY (id, position))`,
  ],
  // `facts` was the order of a run. The plain word would be a keyword of SQL.
  () => ['ALTER TABLE runs RENAME COLUMN facts TO run_order'],
  // Conversations that are kept for a limited time.
  ({ integer }) => [
    `ALTER TABLE conversations ADD COLUMN expires_at ${integer}`,
    'CREATE INDEX conversations_expiring ON conversations (expires_at) WHERE expires_at IS NOT NULL',
  ],
  ({ integer }) => [
    `CREATE TABLE tokens (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, prefix TEXT NOT NULL, identity TEXT NOT NULL,
      created_at ${integer} NOT NULL, expires_at ${integer},
      last_used_at ${integer}, revoked_at ${integer})`,
    `CREATE TABLE token_revision (revision ${integer} NOT NULL)`,
    'INSERT INTO token_revision (revision) VALUES (0)',
    `CREATE TABLE counters (
      key TEXT NOT NULL, starts_at ${integer} NOT NULL, ends_at ${integer} NOT NULL,
      most ${integer} NOT NULL, amount ${integer} NOT NULL, held ${integer} NOT NULL,
      PRIMARY KEY (key, starts_at))`,
    'CREATE INDEX counters_ending ON counters (ends_at)',
  ],
  // Lists the runs of an owner, whatever their conversation.
  () => ['CREATE INDEX runs_owned ON runs (owner, started_at, id)'],
  // Child runs, with their places in the trees.
  () => [
    'ALTER TABLE runs ADD COLUMN root_run_id TEXT',
    'ALTER TABLE runs ADD COLUMN place TEXT',
    'CREATE INDEX runs_below ON runs (root_run_id) WHERE root_run_id IS NOT NULL',
  ],
  // What the members of teams share.
  ({ integer }) => [
    `CREATE TABLE shared_values (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      key TEXT NOT NULL, value TEXT NOT NULL, version ${integer} NOT NULL, agent TEXT NOT NULL,
      PRIMARY KEY (run_id, key))`,
  ],
  // Finds messages by their ids. Entries of earlier versions have none here: they are read for it.
  () => [
    'ALTER TABLE entries ADD COLUMN message_id TEXT',
    `CREATE INDEX entries_by_message ON entries (message_id, conversation_id, owner)
      WHERE message_id IS NOT NULL`,
    `CREATE INDEX entries_without_message ON entries (conversation_id, owner)
      WHERE message_id IS NULL AND kind = 'message'`,
  ],
  ({ integer }) => searchTables(integer),
]
