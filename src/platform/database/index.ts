export { c, type Columns, type Row } from './column.ts'
export { openDatabase, type Committed, type Connection, type Database, type Runner } from './database.ts'
export { afterPending, createBatcher } from './batcher.ts'
export { isConnectionLost, isRetryable, isWriteRefused, violatedConstraint } from './failures.ts'

export { declaredQueries, query, readStatements, SQL_FOLDER, type Query } from './query.ts'
