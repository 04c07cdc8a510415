const WAIT_MS = 30_000

/** A queue of the messages of a stream. */
export class Inbox<M> {
  readonly messages: M[] = []
  readonly #describe: (message: M) => string
  #waiting: (() => void)[] = []
  #failure: unknown

  /** @param describe a short text for a message, for the error that lists the received ones */
  constructor(describe: (message: M) => string) {
    this.#describe = describe
  }

  push(message: M): void {
    this.messages.push(message)
    this.#ring()
  }

  /** Makes current and later calls of `take` fail. */
  fail(error: unknown): void {
    this.#failure = error
    this.#ring()
  }

  #ring(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /**
   * Takes the first matching message and drops earlier ones; fails after 30 seconds with a list of
   * the received ones.
   */
  async take(wanted: string, fits: (message: M) => boolean): Promise<M> {
    return (await this.takeUntil(wanted, fits)).at(-1) as M
  }

  /**
   * Takes the first matching message and leaves the others: for messages in no particular order.
   * Fails as `take` does.
   */
  async pick(wanted: string, fits: (message: M) => boolean): Promise<M> {
    const [message] = await this.#remove(wanted, fits, index => this.messages.splice(index, 1))
    return message
  }

  /** Takes all messages up to and including the first matching one, in order. */
  takeUntil(wanted: string, fits: (message: M) => boolean): Promise<[M, ...M[]]> {
    return this.#remove(wanted, fits, index => this.messages.splice(0, index + 1))
  }

  async #remove(wanted: string, fits: (message: M) => boolean, remove: (index: number) => M[]): Promise<[M, ...M[]]> {
    const until = Date.now() + WAIT_MS
    for (;;) {
      const index = this.messages.findIndex(fits)
      if (index >= 0) return remove(index) as [M, ...M[]]
      const leftMs = until - Date.now()
      if (leftMs <= 0 || this.#failure !== undefined) {
        const seen = this.messages.map(this.#describe).join(', ')
        const why = `${wanted} did not come; there were: ${seen || 'none'}`
        throw new Error(why, this.#failure === undefined ? {} : { cause: this.#failure })
      }
      await this.#change(leftMs)
    }
  }

  #change(atMostMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, atMostMs)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
