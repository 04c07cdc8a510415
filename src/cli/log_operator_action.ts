import type { Id } from '../core/id.ts'
import { c, query, type Runner } from '../platform/database/index.ts'

const logAction = query(
  'cli/log_action',
  { action: c.text, target_type: c.text, target: c.nullable(c.id), name: c.text },
  { entry: c.id },
)

/** Records an action of the operator in the audit log, for commands whose statements do not. */
export const logOperatorAction = async (
  runner: Runner,
  action: string,
  target: { readonly type: string; readonly id?: Id; readonly name: string },
): Promise<void> =>
  void (await runner.run(logAction, { action, target_type: target.type, target: target.id ?? null, name: target.name }))
