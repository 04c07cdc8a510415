import type { StreamBody } from './response.ts'
import type { Reply } from './respond.ts'

/**
 * A reader that has this much waiting, and has not caught up since it began to wait, is
 * disconnected.
 */
const MAX_BACKLOG_BYTES = 256 * 1024

/** The comment of server-sent events that readers of the npm package mastodon-api ignore, too. */
const COMMENT = ':thump\n'

/**
 * Sends a body that continues until one of the two sides ends it.
 *
 * uWebSockets.js buffers data that the client does not take, but writes it out only with the next
 * write: with an `onWritable` handler that writes nothing, the rest would never be sent (20.x,
 * tried; without a handler the rest is sent, and ten seconds later the connection is closed as
 * idle). So a comment is written until all is sent, as the result of `write` shows.
 *
 * It also ends a chunk only when the next one begins (20.x, tried): until then the line break after
 * the bytes of a chunk is missing. Readers of whole chunks, such as Python's urllib3, would get
 * each message when the next one is sent. So a comment follows each message, as its own chunk: then
 * the end of the comment is missing instead, for which no reader waits.
 */
export function stream(reply: Reply, body: StreamBody, writeHead: () => void): void {
  const { response } = reply
  if (reply.aborted) {
    body.discard()
    return
  }
  let backlogBytes = 0
  let drained: PromiseWithResolvers<void> | undefined
  let close: (() => void) | undefined

  function write(text: string | Buffer): void {
    response.cork(() => {
      const isTaken = response.write(text)
      const isEnded = response.write(COMMENT)
      backlogBytes = isTaken && isEnded ? 0 : backlogBytes + Buffer.byteLength(text) + COMMENT.length
    })
    if (backlogBytes > 0) return
    drained?.resolve()
    drained = undefined
  }

  function finish(): void {
    reply.aborted = true
    drained?.resolve()
    close?.()
    close = undefined
  }

  response.cork(writeHead)
  response.onWritable(() => {
    if (!reply.aborted && backlogBytes > 0) write(COMMENT)
    return true
  })
  reply.onAbort = finish
  const opened = body.open({
    write(text) {
      if (reply.aborted) return true
      // A large text must not end a stream that waits for nothing else: it would be sent again.
      const isLate = backlogBytes > 0
      write(text)
      if (!isLate || backlogBytes <= MAX_BACKLOG_BYTES) return true
      response.close()
      return false
    },
    drained() {
      if (reply.aborted || backlogBytes === 0) return undefined
      drained ??= Promise.withResolvers<void>()
      return drained.promise
    },
    end() {
      if (reply.aborted) return
      response.cork(() => response.end())
      finish()
    },
  })
  if (reply.aborted) opened()
  else close = opened
}
