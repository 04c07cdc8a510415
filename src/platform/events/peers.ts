import { c, query, type Database } from '../database/index.ts'
import { createCoalescedTask } from './coalesced_task.ts'
import type { Logger } from './reader.ts'

const findAlone = query('platform/events/alone', { application: c.text }, { alone: c.boolean })

/** Prefix of the payload by which a process announces itself. */
const HELLO = 'hello '
/** After this many notifications, whether any process listens is checked again. */
const CHECK_EACH = 1000

/** The other processes that listen to events. */
export interface Peers {
  /** Whether there is none, so that notifying is not needed. */
  isAlone(): boolean
  /** Call when a notification has arrived. */
  received(payload: string): void
  /** Call when a notification has been sent. */
  sent(): void
  /** Call each time listening has begun or was lost. */
  listening(isListening: boolean): void
  close(): Promise<void>
}

export interface PeersOptions {
  readonly database: Database
  readonly logger: Logger
  readonly retryMs: number
  /** The name of sessions that listen. */
  readonly application: string
  readonly sender: string
  readonly send: (payload: string) => Promise<void>
  /** Sends a notification of new events to all. */
  readonly notify: () => void
}

/**
 * A process is alone when, after it has begun to listen, no other session listens, and no other
 * process has announced itself since: each does so when it begins to listen. The others then notify
 * once, so that the new process reads what was committed before.
 */
export function createPeers({ database, logger, retryMs, application, sender, send, notify }: PeersOptions): Peers {
  let alone = false
  let isListening = false
  let isKnown = false
  let sent = 0
  // Incremented by each change, so that the result of an outdated check is ignored.
  let changes = 0

  function becomeUncertain(): void {
    alone = false
    changes += 1
  }

  async function look(): Promise<undefined> {
    if (!isListening) return undefined
    if (!isKnown) {
      await send(HELLO + sender)
      isKnown = true
    }
    const before = changes
    const row = await database.one(findAlone, { application })
    if (before === changes) alone = row?.alone === true
    return undefined
  }

  const task = createCoalescedTask(look, error => {
    logger.warn({ err: error }, 'could not make this process known to others; trying again')
    return retryMs
  })

  return {
    isAlone: () => alone,
    received(payload) {
      if (!payload.startsWith(HELLO) || payload === HELLO + sender) return
      becomeUncertain()
      notify()
    },
    sent() {
      sent += 1
      if (sent % CHECK_EACH === 0) task.trigger()
    },
    listening(now) {
      becomeUncertain()
      isListening = now
      isKnown = false
      if (now) task.trigger()
    },
    close: task.close,
  }
}
