import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'

const listRules = query(
  'instance/rules/all',
  {},
  {
    id: c.id,
    text: c.text,
    hint: c.text,
    translations: c.json<Record<string, { text: string; hint: string }>>(),
  },
)

/** The entity Rule. */
export interface Rule {
  id: Id
  text: string
  hint: string
  translations: Record<string, { text: string; hint: string }>
}

/** The rules of this server, in order. */
export const renderRules = (services: Services): Promise<Rule[]> => services.database.run(listRules, {})
