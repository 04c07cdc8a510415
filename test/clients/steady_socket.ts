import { WebSocket, type ClientOptions } from 'ws'

const isRefusal = (text: string): boolean => text.includes('"Unknown stream type"')

/**
 * The WebSocket that masto is given. The API acknowledges no subscription, so a test could not know
 * when one has begun: this socket also asks for a stream that does not exist after each message of
 * the library. The server takes messages in their order, so its refusal, which is kept from the
 * library, tells that it has taken the one before.
 */
export class SteadySocket extends WebSocket {
  static #opened: SteadySocket[] = []
  #asked = 0
  #answered = 0
  #waiting: (() => void)[] = []

  constructor(address: string | URL, protocols?: string | string[], options?: ClientOptions) {
    super(address, protocols, options)
    SteadySocket.#opened.push(this)
  }

  /** Waits until the server has taken everything that was sent on all of the sockets. */
  static async settled(): Promise<void> {
    await Promise.all(SteadySocket.#opened.map(socket => socket.#settled()))
  }

  override send(data: string): void {
    super.send(data)
    if (this.readyState !== WebSocket.OPEN) return
    this.#asked += 1
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
    while (this.readyState === WebSocket.OPEN && this.#answered < this.#asked) {
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }
}
