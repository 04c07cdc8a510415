import { setTimeout as delay } from 'node:timers/promises'
import pgListen, { type Subscriber } from 'pg-listen'
import type { Connection } from '../database/index.ts'

export interface ListenerOptions {
  readonly connection: Connection
  readonly channel: string
  /** Between tries to connect. */
  readonly retryMs: number
  /** Something was notified, or may have been while nobody listened. */
  readonly heard: () => void
  readonly changed: (state: 'listening' | 'lost', cause?: Error) => void
}

/** Listens on one channel and comes back by itself after any loss of the connection. */
export interface Listener {
  /** Resolves when it listens for the first time, or when that failed and it goes on trying. */
  open(): Promise<void>
  /** Ends the session, and the tries to get one. */
  close(): Promise<void>
}

/** After so long a server that does not answer counts as lost. */
const ANSWER_MS = 10_000
const CHECK_MS = 30_000
const END_MS = 1_000

function createSubscriber(connection: Connection, retryInterval: () => number): Subscriber {
  return pgListen.default(
    {
      ...connection,
      application_name: 'millrace events',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    },
    { retryTimeout: 0, retryLimit: 0, retryInterval, paranoidChecking: CHECK_MS, parse: text => text },
  )
}

/**
 * pg-listen 1.7 as it was found to behave, and what is done about it here:
 * - it gives up for good after 3 s without a server: `retryTimeout: 0`;
 * - its regular check of the connection waits for ever when the other end is gone without a word: `query_timeout`;
 * - when LISTEN itself fails, it may keep a session that does not listen: LISTEN is repeated here until it works;
 * - what is notified during an outage is lost: each (re)connection counts as heard;
 * - a payload that its parser throws on arrives as an error: ours is not looked at;
 * - `connect()` rejects and yet goes on trying: that is what is wanted, so the rejection only ends `open`;
 * - `close()` does not end the tries: an exception from the listener of `reconnect` does, at the next one.
 */
export function createListener(options: ListenerOptions): Listener {
  const { channel, retryMs, heard, changed } = options
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
    if (!closed) subscribing ??= askToListen().finally(() => (subscribing = undefined))
  }

  async function askToListen(): Promise<void> {
    try {
      // Makes it forget what it believes to be subscribed and ask the server: the session may be another by now.
      if (subscriber.getSubscribedChannels().includes(channel)) await subscriber.unlisten(channel)
      await subscriber.listenTo(channel)
      if (closed) return
      changed('listening')
      heard()
    } catch {
      // The session is gone, or did not answer. Asking again serves both; the reason has been told by `changed`.
      if (!closed) timer = setTimeout(subscribe, retryMs).unref()
    }
  }

  subscriber.notifications.on(channel, heard)
  subscriber.events.on('reconnect', attempt => {
    if (closed) throw new Error('closed')
    reconnecting ??= Promise.withResolvers<void>()
    if (attempt === 1) changed('lost')
  })
  subscriber.events.on('connected', () => {
    endReconnecting()
    subscribe()
  })
  subscriber.events.on('error', error => {
    endReconnecting()
    if (closed) return
    changed('lost', error)
    subscribe()
  })

  return {
    async open() {
      try {
        await subscriber.connect()
        await subscribing
      } catch (error) {
        changed('lost', error instanceof Error ? error : new Error(String(error)))
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      subscriber.notifications.removeAllListeners(channel)
      await reconnecting?.promise
      // The other end may be gone without a word, and then nobody answers the goodbye.
      await Promise.race([subscriber.close(), delay(END_MS, undefined, { ref: false })])
    },
  }
}
