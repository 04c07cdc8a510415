/** Aliases of accounts, and moves from one account to another. */
export { addAlias, findAliases, removeAlias } from './aliases.ts'
export { findMigration, moveAccount, recordMove, redirectAccount, undoRedirect } from './move.ts'
export { moveForUser, MoveRefused, type MoveObstacle } from './staff_move.ts'
