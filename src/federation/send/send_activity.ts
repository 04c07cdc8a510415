import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { withContext } from '../documents/index.ts'

const send = query(
  'federation/send/send',
  { sender: c.nullable(c.id), object: c.text, body: c.text, inboxes: c.texts },
  { sent: c.boolean },
)

interface Sending {
  /** The account that signs; null for the server's own actor. */
  readonly sender: Id | null
  /** What it is about: deliveries about one object keep their order. */
  readonly object: string
  readonly activity: object
  readonly inboxes: readonly string[]
}

/** Enqueues the delivery of an activity, in a transaction only if that commits. */
export async function sendActivity(runner: Runner, { sender, object, activity, inboxes }: Sending): Promise<void> {
  if (inboxes.length === 0) return
  await runner.run(send, { sender, object, body: JSON.stringify(withContext(activity)), inboxes: [...inboxes] })
}
