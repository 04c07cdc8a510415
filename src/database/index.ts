export { c, type Column, type Columns, type LoggedEvent, type Row } from './column.ts'
export { openDatabase, type Connection, type Database, type Runner } from './database.ts'
export { isUnavailable, violatedConstraint } from './failures.ts'
export { declaredQueries, query, SQL_FOLDER, type Query } from './query.ts'
