import { connect, type Socket } from 'node:net'
import {
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpResponse,
  type us_listen_socket,
} from 'uWebSockets.js'

/**
 * A cork for upgrades that come after an await. In a cork of its own response, uWebSockets.js 20 takes the new WebSocket for a response
 * afterwards when its address has stayed the same, reads memory that is no longer its own, and may close the connection (tried: one
 * in some hundred to thousand handshakes; mended upstream in July 2026). While another response has the cork that is not looked at;
 * without any cork it complains on standard error. So there is one response that is never answered, on a connection of the process to
 * itself, and it lends its cork (tried: none of 36,000 handshakes).
 */
export interface UpgradeWorkaround {
  /** Resolves when there is one to lend. When there cannot be one, the risk is taken. */
  readonly ready: Promise<void>
  /** Does the work, which upgrades the response. */
  upgrade(response: HttpResponse, work: () => void): void
  close(): void
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

export function openUpgradeWorkaround(): UpgradeWorkaround {
  const app = App()
  let waiting: HttpResponse | undefined
  let client: Socket | undefined
  let listening: us_listen_socket | undefined

  function stopListening(): void {
    if (listening) us_listen_socket_close(listening)
    listening = undefined
  }

  const ready = new Promise<void>(resolve => {
    app.get('/*', response => {
      waiting = response
      response.onAborted(() => {
        waiting = undefined
      })
      stopListening()
      resolve()
    })
    app.listen('127.0.0.1', 0, opened => {
      if (!opened) return resolve()
      listening = opened
      client = connect(us_socket_local_port(opened), '127.0.0.1', () => client?.write(REQUEST))
      client.unref()
      client.on('error', () => resolve())
    })
  })

  return {
    ready,
    upgrade(response, work) {
      const corked = (): void => {
        response.cork(work)
      }
      if (waiting) waiting.cork(corked)
      else corked()
    },
    close() {
      stopListening()
      client?.destroy()
      app.close()
    },
  }
}
