import { c, query } from '../../platform/database/index.ts'

/** Whether the database responds, and can be written to. */
export const alive = query('instance/health/alive', {}, { writable: c.boolean })

/** Fails on a server that only reads. */
export const writeNothing = query('instance/health/write_nothing', {}, {})
