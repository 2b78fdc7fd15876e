/** The SQL words that differ between databases. */
export interface SqlTypes {
  readonly bytes: 'BLOB' | 'BYTEA'
  readonly integer: 'INTEGER' | 'BIGINT'
  /** The function that returns the position of one text in another. */
  readonly position: 'instr' | 'strpos'
  /** Whether the database chooses indexes by statistics. */
  readonly isPlanned: boolean
  /** The query for the names of all tables. */
  readonly tables: string
  /**
   * The statement that keeps other processes from changing the schema until the transaction ends, if the database
   * needs one.
   */
  readonly lock?: string
}
