import { c, query } from '../../platform/database/index.ts'

/** Whether the database responds. */
export const alive = query('instance/health/alive', {}, { alive: c.boolean })
