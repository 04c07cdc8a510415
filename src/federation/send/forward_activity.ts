import type { Id } from '../../core/id.ts'
import type { Runner } from '../../platform/database/index.ts'
import { findFollowersInboxes } from './followers_inboxes.ts'
import { sendBodyLowPriority } from './send_activity.ts'

/** An activity that a remote actor has signed, for the followers of local accounts. */
interface Forwarding {
  /** The accounts whose followers receive it; the first one signs the deliveries. */
  readonly accounts: readonly Id[]
  /** The URI of its object: deliveries about one object stay in order. */
  readonly object: string
  /** The body as received, because its signature covers this text. */
  readonly body: string
  /** The host of its server, which has the activity already. */
  readonly without: string
}

/** Enqueues the delivery of a remote activity, at a lower priority than local activities. */
export async function forwardActivity(runner: Runner, { accounts, object, body, without }: Forwarding): Promise<void> {
  const [sender] = accounts
  if (sender === undefined) return
  const found = await runner.run(findFollowersInboxes, { accounts: [...accounts], without })
  await sendBodyLowPriority(runner, { sender, object, body, inboxes: found.map(({ inbox }) => inbox) })
}
