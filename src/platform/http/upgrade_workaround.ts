import { connect, type Socket } from 'node:net'
import {
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpResponse,
  type us_listen_socket,
} from 'uWebSockets.js'

/**
 * Runs upgrades that follow an await inside the cork of another response. In a cork of its own
 * response, uWebSockets.js 20 takes the new WebSocket for a response afterwards when its address is
 * unchanged, reads memory that is no longer its own, and may close the connection (tried: one in
 * some hundred to thousand handshakes; fixed upstream in July 2026). That check is skipped while
 * another response has the cork; without any cork it warns on standard error. So the upgrade runs
 * in the cork of a response that is never answered, on a connection of the process to itself
 * (tried: no failure in 36,000 handshakes).
 */
export interface UpgradeWorkaround {
  /** Resolves when a cork is available. Without one, upgrades run uncorked. */
  readonly ready: Promise<void>
  /** Runs the work, which upgrades the response. */
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
