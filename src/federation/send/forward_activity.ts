import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { sendTextLater } from './send_activity.ts'

const findInboxes = query('federation/send/followers_inboxes', { accounts: c.ids, without: c.text }, { inbox: c.text })

/** What somebody else has said and signed, for the followers of local accounts. */
interface Forwarding {
  /** Whose followers get it; the first one signs the deliveries. */
  readonly accounts: readonly Id[]
  /** What it is about: deliveries about one object keep their order. */
  readonly object: string
  /** As it came: another text would not fit its signature. */
  readonly body: string
  /** The server that has it already. */
  readonly without: string
}

/** Enqueues the delivery of another server's activity, after all that this server has to say. */
export async function forwardActivity(runner: Runner, { accounts, object, body, without }: Forwarding): Promise<void> {
  const [sender] = accounts
  if (sender === undefined) return
  const found = await runner.run(findInboxes, { accounts: [...accounts], without })
  await sendTextLater(runner, { sender, object, body, inboxes: found.map(({ inbox }) => inbox) })
}
