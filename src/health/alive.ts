import { c, query } from '../database/index.ts'

/** Whether the database answers. */
export const alive = query('health/alive', {}, { alive: c.boolean })
