import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { withContext } from '../documents/index.ts'

const send = query(
  'federation/send/send',
  { sender: c.nullable(c.id), object: c.text, body: c.text, inboxes: c.texts },
  { sent: c.boolean },
)

const sendLow = query(
  'federation/send/send_low',
  {
    sender: c.nullable(c.id),
    object: c.text,
    body: c.text,
    inboxes: c.texts,
    signing_key: c.nullable(c.bytes),
  },
  { job: c.id },
)

interface Sending {
  /** The account that signs; null for the server's own actor. */
  readonly sender: Id | null
  /** The URI of its object: deliveries about one object stay in order. */
  readonly object: string
  readonly activity: object
  readonly inboxes: readonly string[]
}

interface SendingLater extends Sending {
  /** Signs in the place of the sender's current private key; as it is stored. */
  readonly signingKey?: Buffer
}

/** A text that is sent as it is. */
type SendingText = Omit<SendingLater, 'activity'> & { readonly body: string }

/** Enqueues the delivery of an activity; in a transaction, it is sent only if that commits. */
export async function sendActivity(runner: Runner, { sender, object, activity, inboxes }: Sending): Promise<void> {
  if (inboxes.length === 0) return
  await runner.run(send, { sender, object, body: JSON.stringify(withContext(activity)), inboxes: [...inboxes] })
}

/** As `sendActivity`, but after all else that this server has to say, and with eight more tries. */
export const sendLater = (runner: Runner, { activity, ...sending }: SendingLater): Promise<void> =>
  sendTextLater(runner, { ...sending, body: JSON.stringify(withContext(activity)) })

/** As `sendLater`. */
export async function sendTextLater(runner: Runner, sending: SendingText): Promise<void> {
  const { sender, object, body, inboxes, signingKey: signing_key = null } = sending
  if (inboxes.length > 0) await runner.run(sendLow, { sender, object, body, inboxes: [...inboxes], signing_key })
}
