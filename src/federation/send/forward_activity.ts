import type { Id } from '../../core/id.ts'
import type { Runner } from '../../platform/database/index.ts'
import { findFollowersInboxes } from './followers_inboxes.ts'
import { sendTextLater } from './send_activity.ts'

/** An activity of another actor, signed by it, for the followers of local accounts. */
interface Forwarding {
  /** The accounts whose followers receive it; the first one signs the deliveries. */
  readonly accounts: readonly Id[]
  /** What it is about: deliveries about one object keep their order. */
  readonly object: string
  /** As received: its signature would not match another text. */
  readonly body: string
  /** The server that has it already and is left out. */
  readonly without: string
}

/** Enqueues the delivery of another server's activity, at a lower priority than own activities. */
export async function forwardActivity(runner: Runner, { accounts, object, body, without }: Forwarding): Promise<void> {
  const [sender] = accounts
  if (sender === undefined) return
  const found = await runner.run(findFollowersInboxes, { accounts: [...accounts], without })
  await sendTextLater(runner, { sender, object, body, inboxes: found.map(({ inbox }) => inbox) })
}
