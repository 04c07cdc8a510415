import { WebSocket, type ClientOptions } from 'ws'

const isRefusal = (text: string): boolean => text.includes('"Unknown stream type"')

/**
 * The WebSocket for masto. The API does not acknowledge subscriptions, so a test could not know
 * when one has started. After each message of the library this socket also subscribes to an unknown
 * stream. The server handles messages in order, so its error, which is hidden from the library,
 * shows that the message before was handled.
 */
export class SteadySocket extends WebSocket {
  static #opened: SteadySocket[] = []
  #sent = 0
  #answered = 0
  #waiting: (() => void)[] = []

  constructor(address: string | URL, protocols?: string | string[], options?: ClientOptions) {
    super(address, protocols, options)
    SteadySocket.#opened.push(this)
  }

  /** Waits until the server has handled all messages of all sockets. */
  static async settled(): Promise<void> {
    await Promise.all(SteadySocket.#opened.map(socket => socket.#settled()))
  }

  override send(data: string): void {
    super.send(data)
    if (this.readyState !== WebSocket.OPEN) return
    this.#sent += 1
    super.send('{"type":"subscribe","stream":"none"}')
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'message' && isRefusal(String(values[0]))) {
      this.#answered += 1
      for (const wake of this.#waiting.splice(0)) wake()
      return true
    }
    return super.emit(event, ...values)
  }

  async #settled(): Promise<void> {
    while (this.readyState === WebSocket.OPEN && this.#answered < this.#sent) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }
}
