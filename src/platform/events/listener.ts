import { setTimeout as delay } from 'node:timers/promises'
import pgListen, { type Subscriber } from 'pg-listen'
import type { Connection } from '../database/index.ts'

export interface ListenerOptions {
  readonly connection: Connection
  readonly channel: string
  /** The pause between attempts to connect. */
  readonly retryMs: number
  /**
   * Called with the payload when a notification has arrived, without one when some may have been
   * missed.
   */
  readonly onNotify: (payload?: string) => void
  readonly onState: (state: 'listening' | 'lost', cause?: Error) => void
}

/** Listens on one channel and reconnects after any loss of the connection. */
export interface Listener {
  /**
   * Resolves when it listens for the first time, or when the first attempt failed and it continues
   * to try.
   */
  open(): Promise<void>
  /** Ends the session, and the attempts to get one. */
  close(): Promise<void>
}

/** The name of sessions that listen. */
export const LISTENING = 'millrace events'

/** A server that does not answer for this long counts as lost. */
const ANSWER_MS = 10_000
const CHECK_MS = 30_000
const END_MS = 1_000

function createSubscriber(connection: Connection, retryInterval: () => number): Subscriber {
  return pgListen.default(
    {
      ...connection,
      application_name: LISTENING,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    },
    { retryTimeout: 0, retryLimit: 0, retryInterval, paranoidChecking: CHECK_MS, parse: text => text },
  )
}

/**
 * Works around pg-listen 1.7, as observed:
 * - it gives up for good after 3 s without a server: `retryTimeout: 0`;
 * - its regular check of the connection hangs when the other end has vanished silently:
 *   `query_timeout`;
 * - when LISTEN itself fails, it may keep a session that does not listen: LISTEN is repeated here
 *   until it succeeds;
 * - notifications sent during an outage are lost: each (re)connection counts as a notification;
 * - a payload that its parser throws on arrives as an error: the parser here returns the text
 *   unread;
 * - `connect()` rejects and yet keeps trying, as wanted, so the rejection only ends `open`;
 * - `close()` does not end the attempts: an exception from the listener of `reconnect` does, at the
 *   next attempt.
 */
export function createListener(options: ListenerOptions): Listener {
  const { channel, retryMs, onNotify, onState } = options
  let closed = false
  let subscribing: Promise<void> | undefined
  let reconnecting: PromiseWithResolvers<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const subscriber = createSubscriber(options.connection, () => (closed ? 0 : retryMs))

  function endReconnecting(): void {
    reconnecting?.resolve()
    reconnecting = undefined
  }

  function subscribe(): void {
    clearTimeout(timer)
    if (!closed) subscribing ??= sendListen().finally(() => (subscribing = undefined))
  }

  async function sendListen(): Promise<void> {
    try {
      // The session may be a new one, but pg-listen still believes it is subscribed: `unlisten`
      // makes it send LISTEN.
      if (subscriber.getSubscribedChannels().includes(channel)) await subscriber.unlisten(channel)
      await subscriber.listenTo(channel)
      if (closed) return
      onState('listening')
      onNotify()
    } catch {
      // The session ended or did not answer: LISTEN is sent again in both cases. `onState` has
      // reported the reason.
      if (!closed) timer = setTimeout(subscribe, retryMs).unref()
    }
  }

  subscriber.notifications.on(channel, (payload: unknown) => onNotify(typeof payload === 'string' ? payload : ''))
  subscriber.events.on('reconnect', attempt => {
    if (closed) throw new Error('closed')
    reconnecting ??= Promise.withResolvers<void>()
    if (attempt === 1) onState('lost')
  })
  subscriber.events.on('connected', () => {
    endReconnecting()
    subscribe()
  })
  subscriber.events.on('error', error => {
    endReconnecting()
    if (closed) return
    onState('lost', error)
    subscribe()
  })

  return {
    async open() {
      try {
        await subscriber.connect()
        await subscribing
      } catch (error) {
        onState('lost', error instanceof Error ? error : new Error(String(error)))
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      subscriber.notifications.removeAllListeners(channel)
      await reconnecting?.promise
      // If the other end has vanished silently, the closing message is never acknowledged.
      await Promise.race([subscriber.close(), delay(END_MS, undefined, { ref: false })])
    },
  }
}
