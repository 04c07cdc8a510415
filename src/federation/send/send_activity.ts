import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { withContext } from '../documents/index.ts'

const enqueue = query(
  'federation/send/enqueue',
  { sender: c.nullable(c.id), object: c.text, body: c.text, inboxes: c.texts },
  { sent: c.boolean },
)

const enqueueLowPriority = query(
  'federation/send/enqueue_low_priority',
  {
    sender: c.nullable(c.id),
    object: c.text,
    body: c.text,
    inboxes: c.texts,
    signing_key: c.nullable(c.bytes),
  },
  { job: c.id },
)

interface OutgoingActivity {
  /** The account that signs; null for the instance actor. */
  readonly sender: Id | null
  /** The URI of its object: deliveries about one object stay in order. */
  readonly object: string
  readonly activity: object
  readonly inboxes: readonly string[]
}

interface LowPriorityActivity extends OutgoingActivity {
  /** An encrypted private key that signs instead of the sender's current one. */
  readonly signingKey?: Buffer
}

/** An activity whose body is sent unchanged. */
type OutgoingBody = Omit<LowPriorityActivity, 'activity'> & { readonly body: string }

/** Enqueues the delivery of an activity; in a transaction, it is sent only after the commit. */
export async function sendActivity(
  runner: Runner,
  { sender, object, activity, inboxes }: OutgoingActivity,
): Promise<void> {
  if (inboxes.length === 0) return
  await runner.run(enqueue, { sender, object, body: JSON.stringify(withContext(activity)), inboxes: [...inboxes] })
}

/** As `sendActivity`, but with a lower priority and only nine attempts. */
export const sendLowPriority = (runner: Runner, { activity, ...outgoing }: LowPriorityActivity): Promise<void> =>
  sendBodyLowPriority(runner, { ...outgoing, body: JSON.stringify(withContext(activity)) })

/** As `sendLowPriority`, for a serialised activity. */
export async function sendBodyLowPriority(runner: Runner, outgoing: OutgoingBody): Promise<void> {
  const { sender, object, body, inboxes, signingKey: signing_key = null } = outgoing
  if (inboxes.length > 0)
    await runner.run(enqueueLowPriority, { sender, object, body, inboxes: [...inboxes], signing_key })
}
